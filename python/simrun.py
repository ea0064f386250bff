"""simrun from Python: run studies, read results, have them as pandas DataFrames.

>>> study = simrun.run("gj256", ranks=[32, 64], broadcast=["flat", "binomial"])
>>> print(study.answer[0])
Fastest: 32 ranks, broadcast binomial in 9.095 s, speedup 8.62, efficiency 26.9 %; 53 % of its critical path is communication.
>>> study.runs[["ranks", "broadcast", "time_s"]].round(3)
   ranks broadcast  time_s
0     32      flat  35.301
1     64      flat  70.086
2     32  binomial   9.095
3     64  binomial   9.380

The command `simrun` does the work: that of $SIMRUN, else the one that this file came with, else the one on PATH. Names say
units, which are SI: `time_s`, `bandwidth_Bps`. Only DataFrames need pandas.
"""
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import csv
import difflib
import json
import os
import re
import shutil
import subprocess
import tempfile
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, Union

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["Error", "Study", "call_paths", "calls", "compare", "delays", "forecast", "iterations", "model", "part", "read", "run",
           "store", "waits"]

_Name = Union[str, "os.PathLike[str]"]  # of a file

# Arguments that are options of the command; all others are parameters.
_OPTIONS = ("platform network jobs store what_if detail baseline over predict until at trace verbose iterations placement source "
            "fail_if junit").split()
_TRACES = (".otf2", ".ti", ".goal", ".bin")  # extensions of what the command runs, and are no results


class Error(RuntimeError):
    """What the command says when it fails, or that a file holds no results.

    `status` is 2 for bad input, 1 where a run could not finish, such as a deadlock, 127 where there is no command, and -N
    where signal N has ended it. `command` is what was called.

    >>> simrun.run("gj256", rnaks=4)
    Traceback (most recent call last):
    simrun.Error: --set rnaks=4: unknown parameter 'rnaks' of application 'gauss-jordan'; did you mean 'ranks'? ...
    """

    def __init__(self, message: str, status: int = 2, command: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.status, self.command = status, list(command)


class Study:
    """The results of runs.

    `answer` has the sentences, `runs` is a DataFrame with a row a run, `tables` has all else as DataFrames by name.
    `json` is all of it as `--format json` says it, or None of a CSV file.
    """

    def __init__(self, document: Mapping[str, Any] | None, sections: Mapping[str, list[dict]] | None = None) -> None:
        self.json, self._sections = document, sections or {}
        self.answer: list[str] = list((document or {}).get("answer", []))  # older files have none

    @cached_property
    def runs(self) -> DataFrame:
        """A row a run, in the order of the sweep, with the columns of `--format csv`, and `host` behind them.

        >>> simrun.run("gj256", ranks=[1, 64]).runs[["ranks", "time_s", "reference.measured_s", "state_s.idle"]].round(2)
           ranks  time_s  reference.measured_s  state_s.idle
        0      1   78.41                 78.15          0.00
        1     64    7.18                  6.89        290.53
        """
        return _frame(self._sections.get("runs", []) if self.json is None else _flat_runs(self.json.get("runs", [])))

    @cached_property
    def tables(self) -> dict[str, DataFrame]:
        """Tables of runs, whose column `run` is the index of the run in `runs`, and tables of the whole study.

        >>> tables = simrun.run("gj256", ranks=[2, 4], detail="messages").tables
        >>> sorted(tables)
        ['communication_matrix', 'communication_matrix_of', 'message_sizes', 'notes', 'process_state_s']
        >>> tables["communication_matrix"].query("run == 0")[["run", "from", "to", "messages", "bytes"]]
           run  from  to  messages   bytes
        0    0     0   1       130  264196
        1    0     1   0       130  526340
        """
        found = {name: rows for name, rows in self._sections.items() if name != "runs"}
        document = dict(self.json or {}, answer=None)
        for index, one in enumerate(document.pop("runs", [])):
            for name, rows in _tables_in(one):
                found.setdefault(name, []).extend({"run": index, **single} for row in rows for single in _exploded(row))
        for name, rows in _tables_in(document):
            found.setdefault(name, []).extend(map(_flat, rows))
        return {name: _frame(rows) for name, rows in found.items()}

    def __str__(self) -> str:
        return "\n".join(self.answer)

    def __repr__(self) -> str:
        document = self.json or self._sections
        what = "forecasts" if "forecasts" in document else "runs"
        return f"<simrun.Study {document.get('scenario', '')}: {len(document.get(what, []))} {what}>"


def run(*files: _Name, set: Mapping[str, Any] | None = None, **options: Any) -> Study:
    """Simulate scenarios, analyse traces, or replay them on a `platform`.

    Options of the command are arguments, with _ for -: platform, network, jobs, store, what_if, detail, baseline, trace,
    iterations, placement, source.
    Any other argument sets a parameter. A list or range is a sweep, and so is a text such as "1..128*2". `set` has
    parameters whose names are taken.

    >>> study = simrun.run("gj256", ranks="1..4*2", what_if=["latency", "bandwidth"], jobs=2)
    >>> study.runs[["ranks", "what_if.bandwidth.gain"]].round(4)
       ranks  what_if.bandwidth.gain
    0      1                  0.0000
    1      2                  0.0231
    2      4                  0.0762
    """
    return _ask([], files, set, options)


def model(
    measures: _Name | Iterable[str] | DataFrame | Mapping[str, Iterable],
    *files: _Name,
    measure: str | Iterable[str] | None = None,
    set: Mapping[str, Any] | None = None,
    **options: Any,
) -> Study:
    """Formulas for how measures grow, in the table `models.fits`; takes `over` and `predict`, too.

    Without measures, `model(*files)` has in its `answer` what grows fastest, and by how much in the table `models.growth`.
    A table of measured values may be a file, a DataFrame, or a dict of lists, with conditions behind it.

    >>> simrun.model("time_s", "gj256").tables["models.fits"]["formula"][0]
    '3.996 + 0.2572 ranks^(1/2) + 73.9 ranks^-1'
    >>> print(simrun.model({"p": [2, 4, 8, 16, 32], "time_s": [1.0, 2.0, 3.0, 4.0, 5.0]}, over="p", measure="time_s"))
    time_s grows with the logarithm of p; at p = 128 7 s, 7 to 7.
    """
    named = [] if measure is None else [_text(measure)]
    if not hasattr(measures, "columns") and not isinstance(measures, Mapping):
        return _ask(["model"], [*named, _text(measures), *files], set, options)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data.csv")
        _write_table(path, measures)
        try:
            return _ask(["model"], [*named, path, *files], set, options)
        except Error as error:
            raise Error(str(error).replace(path, "data"), error.status, error.command) from None


def part(
    *files: _Name,
    start: Any = None,
    end: Any = None,
    ranks: int | str | Iterable[int] | None = None,
    set: Mapping[str, Any] | None = None,
    **options: Any,
) -> Study:
    """As `run`, of a part of traces: from `start` to `end`, which are seconds, or texts as "1.5ms" or "elimination:10", of `ranks`,
    which are numbers or a text as "0-3,8".

    >>> _ = simrun.run("gj256", ranks=4, n=16, trace="gj.otf2")
    >>> simrun.part("gj.otf2", start=0.01, end=0.02, ranks=[0, 1]).runs[["ranks", "time_s"]]
       ranks  time_s
    0      2    0.01
    """
    return _ask([], files, set, options, _part(start, end, ranks))


def compare(*versions: _Name | Iterable[_Name], set: Mapping[str, Any] | None = None, **options: Any) -> Study:
    """What got slower, and why: tables `versions`, `differences` and `time_parts`.

    A version is a trace, a profile, a scenario or a store, or a list: of several runs of one version, or of a store and
    conditions. `fail_if` is a condition such as "time_s > 5 %", or a list of them; if one is so, an Error of status 3 says which.

    >>> for n in 16, 24:
    ...     _ = simrun.run("gj256", ranks=4, n=n, trace=f"gj{n}.otf2")
    >>> changed = simrun.compare("gj16.otf2", "gj24.otf2")
    >>> changed.tables["versions"][["version", "ranks"]]
      version  ranks
    0    gj16      4
    1    gj24      4
    >>> print(changed.answer[0])
    gj24 is 2.04 times as slow as gj16 (29.73 ms to 60.72 ms): ranks compute 11.64 ms longer in elimination...
    """
    words = [[version] if isinstance(version, (str, bytes, os.PathLike)) else list(version) for version in versions]
    if any(len(version) > 1 for version in words):
        words = [word for version in words for word in (["vs"], version)][1:]
    return _ask(["compare"], [word for version in words for word in version], set, options)


def calls(*files: _Name, **options: Any) -> DataFrame:
    """The functions of the message library that traces call, and their time. Options are those of `part`.

    >>> _ = simrun.run("gj256", ranks=4, n=16, trace="gj.otf2")
    >>> simrun.calls("gj.otf2")[["function", "calls"]].head(2)
       function  calls
    0  MPI_Send     62
    1  MPI_Recv     62
    """
    return _table("functions", files, options)


def waits(*files: _Name, by: str = "function", **options: Any) -> DataFrame:
    """What traces wait for, by "function", by "scope", or by "rank", for which there is more. Options are those of `part`.

    >>> _ = simrun.run("gj256", ranks=4, n=16, trace="gj.otf2")
    >>> simrun.waits("gj.otf2", by="rank")["rank"].tolist()
    [0, 1, 2, 3]
    """
    if by not in ("function", "scope", "rank"):
        raise Error(f"waits are by function, scope or rank, not by {by!r}")
    return _table(f"{by}_waits", files, options)


def iterations(*files: _Name, name: str | None = None, **options: Any) -> DataFrame:
    """The iterations of traces, or of the scope or function `name`: time, and what of it is useful, communication and idle, as means
    over ranks. Options are those of `part`; what stands out is in its table `iteration_findings` with `iterations=True`.

    >>> _ = simrun.run("gj256", ranks=4, n=16, trace="gj.otf2")
    >>> len(simrun.iterations("gj.otf2", name="elimination"))
    16
    """
    return _table("iterations", files, {"iterations": name or True, **options})


def call_paths(*files: _Name, **options: Any) -> DataFrame:
    """The call tree of traces that have one: a row a node, whose `outer` is the `id` of the one around it. Options are those of
    `part`."""
    return _table("call_paths", files, options, "; it has no call paths: simrun trace --paths records them")


def delays(*files: _Name, **options: Any) -> DataFrame:
    """What delays cost the other ranks in waiting, by function, scope and rank. Options are those of `part`."""
    return _table("delays", files, {"detail": "delays", **options})


def forecast(*queries: str, **options: Any) -> Study:
    """What a routine or a message takes by formulas, in the table `forecasts`; takes `at`.

    >>> round(float(simrun.forecast("n0 to n5 1MiB of icluster").tables["forecasts"]["message_s"][0]), 4)
    0.0955
    """
    return _ask(["forecast"], queries, None, options)


def store(file: _Name, *conditions: str) -> Study:
    """The runs of an experiment store that fulfil all conditions, such as "ranks=64" or "time_s<10ms".

    >>> _ = simrun.run("gj256", ranks=[1, 2], store="study.db")
    >>> simrun.store("study.db", "ranks=2").runs[["run", "ranks", "speedup"]].round(3)
       run  ranks  speedup
    0    2      2    1.902
    """
    return _ask(["store", "ls"], [file, *conditions], None, {})


def read(file: _Name) -> Study:
    """The results in a file that the command has written: JSON, CSV, or an experiment store."""
    with open(_path(file), "rb") as opened:
        begin = opened.read(16)
    if os.fsdecode(file).endswith(_TRACES):
        raise Error(f"{os.fsdecode(file)} is not a result; to analyze a trace, use simrun.run({os.fsdecode(file)!r})")
    if begin == b"SQLite format 3\0":
        return store(file)
    with open(file, encoding="utf-8", newline="") as stream:
        if not begin.lstrip().startswith(b"{"):
            return Study(None, _parse(file, _read_csv, stream))
        document = _parse(file, json.load, stream)
    if "simrun" not in document or not all(isinstance(one, dict) for one in document.get("runs", [])):
        raise Error(f"{os.fspath(file)}: no results of simrun: the key 'simrun' or the runs are missing")
    return Study(document)


# --- the command ---


def _command() -> str:
    here = Path(__file__).resolve()
    beside = [parent / "bin" / "simrun" for parent in here.parents] + [here.parents[1] / "simrun"]  # that is a checkout's
    found = (str(program) for program in beside if program.is_file() and os.access(program, os.X_OK))
    return os.environ.get("SIMRUN") or next(found, None) or shutil.which("simrun") or "simrun"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, range) and len(value) > 1 and value.step > 0:
        return f"{value[0]}..{value[-1]}:{value.step}"
    if isinstance(value, (str, os.PathLike)) or not isinstance(value, Iterable):
        return str(value)
    return ",".join(map(_text, value))


def _conditions(value: str | Iterable[str]) -> Iterable[str]:
    return [value] if isinstance(value, str) else value


def _path(name: _Name) -> str | bytes:
    if not isinstance(name, (str, bytes, os.PathLike)):
        raise Error(f"{name!r:.80} is not a file name; pass several names as several arguments: run(*names)")
    return os.fspath(name)


def _meant(options: Mapping[str, Any], message: str) -> str:
    """What a parameter may have meant that is called almost like an option; or which it is, where the message does not say so."""
    parameters = [name for name in options if name not in _OPTIONS]
    close = (difflib.get_close_matches(name, _OPTIONS, 1, 0.75) for name in parameters)
    unnamed = next((f"; {name}= is no option, and was taken for a parameter" for name in parameters
                    if "--set" in message and f"--set {name}=" not in message), "")
    return next((f"; did you mean {found[0]}=?" for found in close if found), unnamed)


def _words(set: Mapping[str, Any] | None, options: Mapping[str, Any]) -> Iterator[str]:
    """A value is never a word of its own, which it could be taken for."""
    parameters = {name: value for name, value in options.items() if name not in _OPTIONS}
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if name in _OPTIONS and value is not None and value is not False:
            for one in _conditions(value) if name == "fail_if" else [value]:
                yield option if one is True else f"{option}={_text(one)}"
    for name, value in {**parameters, **(set or {})}.items():
        yield f"--set={name}={_text(value)}"


def _part(start: Any, end: Any, ranks: int | str | Iterable[int] | None) -> list[str]:
    """The options of a part; numbers are seconds."""
    bounds = {"from": start, "to": end}
    words = [f"--{name}={value!r}s" if isinstance(value, (int, float)) else f"--{name}={value}"
             for name, value in bounds.items() if value is not None]
    if ranks is None:
        return words
    return [*words, f"--ranks={ranks if isinstance(ranks, (int, str)) else ','.join(map(str, ranks))}"]


def _table(name: str, files: Iterable[_Name], options: Mapping[str, Any], lacks: str = "") -> DataFrame:
    """A table of the traces' runs; without rows if the command has none."""
    found = part(*files, **options).tables.get(name)
    if found is None and lacks:
        raise Error(f"{', '.join(map(os.fspath, files))}{lacks}")
    return _frame([]) if found is None else found


def _ask(
    command: list[str],
    words: Iterable[_Name],
    set: Mapping[str, Any] | None,
    options: Mapping[str, Any],
    more: Iterable[str] = (),
) -> Study:
    line = [_command(), *command, "--format=json", *more, *_words(set, options), "--", *map(_path, words)]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        try:
            status = _call(line, out, said)
        except FileNotFoundError:
            raise Error(f"{line[0]}: no such command; set SIMRUN to the path of simrun", 127, line) from None
        except OSError as error:
            raise Error(f"{line[0]}: {error.strerror}", 126, line) from None
        said.seek(0)
        out.seek(0)
        if status != 0:
            message = _message(said.read().decode(errors="replace"), status)
            is_slip = status == 2 and "did you mean" not in message
            raise Error(message + (_meant(options, message) if is_slip else ""), status, line)
        return Study(_parse(line[0], json.load, out))


def _call(line: list[str], out: IO[bytes], said: IO[bytes]) -> int:
    """The status of the command. An interrupt ends it, and goes on when it has left its files whole."""
    with subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=out, stderr=said) as process:
        try:
            return process.wait()
        except BaseException:
            process.terminate()
            process.wait()
            raise


def _message(said: str, status: int) -> str:
    lines = [line for line in said.splitlines() if line.startswith("simrun: ")]
    return lines[-1].partition(" ")[2] if lines else said.strip() or f"simrun ended with status {status}"


def _write_table(path: str, data: DataFrame | Mapping[str, Iterable]) -> None:
    columns = {str(name): list(data[name]) for name in data}
    lengths = {name: len(values) for name, values in columns.items()}
    if len(columns) < 2 or len({*lengths.values()}) != 1:
        raise Error(f"a table has two columns or more, all of one length, not {lengths}")
    with open(path, "w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([columns, *zip(*columns.values())])


# --- from JSON and CSV to rows ---


def _parse(name: _Name, parse: Callable[[Any], Any], stream: IO[Any]) -> Any:
    try:
        return parse(stream)
    except UnicodeDecodeError:
        raise Error(f"{os.fspath(name)}: no results of simrun: it is not UTF-8 text") from None
    except (ValueError, csv.Error) as error:
        raise Error(f"{os.fspath(name)}: no results of simrun: {error}") from None


def _frame(rows: list[dict]) -> DataFrame:
    try:
        import pandas
    except ImportError:
        raise Error("DataFrames need pandas: sudo apt install python3-pandas, or pip install pandas; `json` and `answer` do not") from None
    return pandas.DataFrame(rows)


def _flat(row: dict, is_bare: Callable[[str, str], bool] = lambda group, name: False) -> dict:
    """Members of groups are group.name; those of several dimensions are left out."""
    flat = {}
    for name, value in row.items():
        parts = value if isinstance(value, dict) else {}
        flat.update({name: value} if parts is not value else {})
        flat.update({key if is_bare(name, key) else f"{name}.{key}": part
                     for key, part in parts.items() if not isinstance(part, (list, dict))})
    return flat


def _flat_runs(runs: list[dict]) -> list[dict]:
    """As CSV has them: parameters by their names alone, unless something else of any run is called like them."""
    taken = {name for one in runs for name, value in one.items() if not isinstance(value, (list, dict))}
    taken -= {"network", "ranks"}
    named = [{"network_used" if name == "network" else name: value for name, value in one.items()
              if name != "ranks" and not isinstance(value, list)} for one in runs]
    return [_flat(one, lambda group, name: group == "parameters" and name not in taken) for one in named]


def _tables_in(row: Mapping[str, Any]) -> Iterator[tuple[str, list[dict]]]:
    """Lists of objects or values; also those in groups. A group of nothing but lists of values is one table."""
    for name, value in row.items():
        if isinstance(value, list):
            yield name, [item if isinstance(item, dict) else {name: item} for item in value]
        lists = {key: part for key, part in value.items() if isinstance(part, list)} if isinstance(value, dict) else {}
        if lists and len(lists) == len(value) and not any(isinstance(part[0], dict) for part in lists.values() if part):
            yield name, [{"process": i, **dict(zip(lists, parts))} for i, parts in enumerate(zip(*lists.values()))]
        else:
            for key, part in lists.items():
                if all(isinstance(item, dict) for item in part):
                    yield name if key == "rows" else f"{name}.{key}", part


def _exploded(row: dict) -> Iterator[dict]:
    """A row for each element of its lists, as in CSV, where an empty text is none."""
    flat = {name: None if value == "" else value for name, value in _flat(row).items()}
    for i in range(max((len(value) for value in flat.values() if isinstance(value, list)), default=1)):
        yield {name: value if not isinstance(value, list) else value[i] if i < len(value) else None for name, value in flat.items()}


def _value(cell: str) -> Any:
    if re.fullmatch(r"[+-]?\d+", cell):
        return int(cell)
    if re.fullmatch(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", cell):
        return float(cell)
    return cell[1:] if re.match(r"'[=+\-@\t\r\n]", cell) else cell or None


def _read_csv(stream: IO[str]) -> dict[str, list[dict]]:
    """Tables are apart by an empty line; those that belong to runs begin with the number of the run."""
    sections: dict[str, list[dict]] = {}
    head: list[str] = []
    for cells in csv.reader(stream, strict=True):
        if head and cells:
            if len(cells) != len(head):
                raise ValueError(f"a row has {len(cells)} cells, its head {len(head)}")
            rows.append(dict(zip(head, map(_value, cells))))
        elif cells:
            is_of_runs = bool(sections) and cells[0] == "runs"
            name = cells[1].partition(".")[0] if is_of_runs else f"table {len(sections) + 1}" if sections else "runs"
            head = ["run", *(cell.partition(".")[2] for cell in cells[1:])] if is_of_runs else cells
            rows = sections[name] = []
        else:
            head = []
    if not sections:
        raise ValueError("it is empty")
    return sections
