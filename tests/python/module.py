"""The module against the command that it calls: what the two say is the same, to the last digit."""
# SPDX-License-Identifier: BSD-3-Clause
import doctest
import json
import math
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

import pandas
import simrun

SOURCE = Path(os.environ["SOURCE_DIR"])
SIMRUN = os.environ["SIMRUN"]


def load_tests(loader, tests, pattern):
    tests.addTests(doctest.DocTestSuite(simrun, extraglobs={"simrun": simrun}, optionflags=doctest.ELLIPSIS))
    return tests


def command(*words):
    return subprocess.run([SIMRUN, *words], check=True, capture_output=True, text=True).stdout


def written(name, *words):
    command("-q", "-f", Path(name).suffix[1:], "-o", name, *words)
    return name


def scenario(name, application, **parameters):
    lines = [f"<param name='{key}' value='{value}'/>" for key, value in parameters.items()]
    Path(name).write_text(f"<scenario name='{Path(name).stem}'><platform file='{SOURCE}/platforms/t800-mesh.xml'/>"
                          f"<application name='{application}'/>{''.join(lines)}</scenario>")
    return name


def runs_in(file):
    if not Path(file).exists():
        return 0
    connection = sqlite3.connect(file)
    try:
        return connection.execute("select count(*) from runs").fetchone()[0]
    except sqlite3.OperationalError:  # not made yet, or locked
        return 0
    finally:
        connection.close()


class Same(unittest.TestCase):
    """JSON against CSV, and against what jq would find."""

    def same_values(self, one, other, where):
        self.assertEqual(len(one), len(other), where)
        for left, right in zip(one, other):
            missing = [value is None or isinstance(value, float) and math.isnan(value) for value in (left, right)]
            self.assertTrue(all(missing) or left == right, f"{where}: {left!r} and {right!r}")

    def same_frames(self, one, other, columns, where):
        for column in columns:
            self.same_values(one[column].tolist(), other[column].tolist(), f"{where}, {column}")

    def compare(self, *words):
        from_json, from_csv = simrun.read(written("same.json", *words)), simrun.read(written("same.csv", *words))
        here = " ".join(words)
        common = [name for name in from_json.runs if not name.startswith("host.")]
        self.assertEqual(sorted(common, key=list(from_csv.runs).index), [name for name in from_csv.runs if name in common], here)
        self.same_frames(from_json.runs, from_csv.runs, common, here)
        beyond = from_csv.runs.drop(columns=common)  # JSON leaves out what no run has
        self.assertTrue(beyond.isna().all(axis=None), f"{here}: {list(beyond)}")
        self.assertLessEqual(from_csv.tables.keys(), from_json.tables.keys(), here)
        for name, table in from_csv.tables.items():
            self.assertEqual(list(from_json.tables[name]), list(table), f"{here}: {name}")
            self.same_frames(from_json.tables[name], table, table, f"{here}: {name}")
        return from_json, from_csv

    def test_a_sweep(self):
        study, csv = self.compare("gj256")
        self.assertEqual([name for name in study.runs if not name.startswith("host.")], list(csv.runs))
        self.assertEqual(study.runs["ranks"].tolist(), [2**i for i in range(8)])
        self.assertEqual(study.runs["broadcast_segment"].dtype, "int64")
        self.assertEqual(study.runs["time_s"].dtype, "float64")
        self.assertIn("host.events", study.runs)
        states = study.tables["process_state_s"]
        self.assertEqual(len(states), sum(study.runs["ranks"]))
        self.same_values(states.groupby("run")["useful"].sum().round(9).tolist(), study.runs["state_s.useful"].round(9).tolist(),
                         "useful time by process")

    def test_details_and_causes(self):
        study, csv = self.compare("--detail=all", "--what-if", "--set=ranks=2,4", "gj256")
        self.assertLessEqual({"links", "scope_states", "communication_matrix", "link_bins", "placement"}, csv.tables.keys())
        self.assertLessEqual({"what_if.computation.gain", "pop.transfer"}, set(study.runs))
        self.assertEqual(study.tables["links"]["bytes"].sum(), sum(link["bytes"] for run in study.json["runs"] for link in run["links"]))

    def test_columns_that_some_runs_lack(self):
        self.compare("--set=bytes=64,1KiB", "broadcast-crossover")
        self.compare("--set=program=jacobi,water", "--set=ranks=1,2", "treadmarks-atm")
        self.compare("--set=n=16", "--set=ranks=16", "gj-topologies")

    def test_a_parameter_called_like_a_measure(self):
        study = simrun.Study({"runs": [{"parameters": {"ranks": 2, "messages": 7}, "ranks": 2, "network": "fifo", "messages": 9}]})
        self.assertEqual(dict(study.runs.iloc[0]), {"ranks": 2, "parameters.messages": 7, "network_used": "fifo", "messages": 9})

    def test_models_of_tables(self):
        columns = {"p": [2, 4, 8, 16, 32] * 2, "kind": ["a,\"b\""] * 5 + ["c"] * 5, "t [ms]": [n / 7 for n in range(1, 11)]}
        frame = simrun.model(pandas.DataFrame(columns), "p>2", over=["p"], measure="t")
        self.assertEqual(frame.json["models"], simrun.model(columns, "p>2", over="p", measure=["t"]).json["models"])
        fits = {fit["series"]: fit for fit in frame.json["models"]["fits"]}
        self.assertEqual(set(fits), {'kind a,"b"', "kind c"})
        for point, n in zip(fits["kind c"]["measured"], range(7, 11)):
            self.assertAlmostEqual(point["value"], n / 7 * 1e-3, 14)
        self.assertTrue(str(frame).startswith("t, kind "))
        for bad, message in [
            ({"p": [1, 2], "t": [1]}, "all of one length, not {'p': 2, 't': 1}"),
            ({"t": [1, 2]}, "two columns or more"),
            ({"p": [1, 2, 4], "t": [1, math.nan, 2]}, "^data:3: column 2: t: 'nan' is no value"),
            ({"p": [1, 2, 4], "t": [1, 2, None]}, "^data:4: column 2: t: nothing"),
        ]:
            with self.assertRaisesRegex(simrun.Error, message):
                simrun.model(bad)

    def test_text_that_a_spreadsheet_would_compute(self):
        Path("text.csv").write_text('a,b,c\n\'=1+1,-5,"x\n\ny"\n,1e-3,\n\nruns,t.x\n0,1\n')
        study = simrun.read("text.csv")
        self.same_values(study.runs["a"].tolist() + study.runs["b"].tolist() + study.runs["c"].tolist(),
                         ["=1+1", None, -5, 0.001, "x\n\ny", None], "text.csv")
        self.assertEqual(study.tables["t"].to_dict("records"), [{"run": 0, "x": 1}])

    def test_answers(self):
        study = simrun.run("gj256", n=64)
        text = command("-q", "--set=n=64", "gj256")
        self.assertIn(study.answer[0], " ".join(text.split()))
        self.assertEqual(study.json["answer"], study.answer)
        self.assertEqual(str(study).splitlines()[0], study.answer[0])

    def test_what_grows(self):
        files = [f"grows{n}.otf2" for n in (2, 4, 8)]
        for n, file in zip((2, 4, 8), files):
            simrun.run("gj256", ranks=n, n=64, trace=file)
        study = simrun.model(*files)
        self.assertEqual(study.tables["models.growth"].to_dict("records"), study.json["models"]["growth"])
        self.assertEqual(simrun.model(*map(Path, files)).answer, study.answer)

    def test_other_questions(self):
        models = simrun.model(["time_s", "speedup"], "gj256", over="ranks", predict=[256, 512])
        self.assertEqual(models.tables["models.fits"]["measure"].tolist(), ["time_s", "speedup"])
        grids = simrun.forecast("pdgemm 2048 on 8").tables["forecasts"]
        self.assertEqual(grids["grid"][0], "2x4")
        queries = ["pdgemm 2048 on 4x8", "n0 to n5 1MiB"]
        forecast = simrun.forecast(*queries)
        self.assertEqual(forecast.answer, [line for line in command("forecast", *queries).splitlines() if " expected" in line])
        self.assertEqual((str(forecast).count("expected"), repr(forecast)), (2, "<simrun.Study : 2 forecasts>"))

    def test_stores(self):
        first = simrun.run("gj256", ranks=[1, 2, 4], store="kept.db")
        again = simrun.store("kept.db", "ranks>1")
        self.assertEqual(again.runs["time_s"].tolist(), first.runs["time_s"].tolist()[1:])
        self.assertEqual(len(simrun.read("kept.db").runs), 3)

    def test_a_replay(self):
        trace = SOURCE / "scenarios" / "traces" / "heat.ti"
        study = simrun.run(trace, platform=["icluster", "icluster-myrinet"])
        self.assertEqual(study.runs["platform"].tolist(), ["icluster", "icluster-myrinet"])
        simrun.run("gj256", ranks=4, n=16, trace="gj.otf2")
        self.assertEqual(simrun.run("gj.otf2", baseline="1s").runs["sequential_time_s"].tolist(), [1.0])


class Traces(unittest.TestCase):
    """Calls for traces against the JSON of the same command."""

    @classmethod
    def setUpClass(cls):
        for n in (16, 24):
            simrun.run("gj256", ranks=4, n=n, trace=f"trace{n}.otf2")

    def same(self, frame, name, *words):
        """The rows of the table `name` of the command's JSON."""
        rows = json.loads(command("-q", "-f", "json", *words))["runs"][0][name]
        self.assertGreater(len(rows), 0)
        self.assertEqual(list(frame), ["run", *rows[0]])
        for row, (_, found) in zip(rows, frame.iterrows(), strict=True):
            self.assertEqual({"run": 0, **{key: value if value != "" else None for key, value in row.items()}}, dict(found))

    def test_tables(self):
        part = {"start": 0.01, "end": "20ms", "ranks": range(3)}
        words = ["--from=0.01s", "--to=20ms", "--ranks=0,1,2", "trace24.otf2"]
        self.same(simrun.calls("trace24.otf2", **part), "functions", *words)
        for by in ("function", "scope", "rank"):
            self.same(simrun.waits("trace24.otf2", by=by, **part), f"{by}_waits", *words)
        self.same(simrun.delays("trace24.otf2", **part), "delays", "--detail=delays", *words)
        self.same(simrun.iterations("trace24.otf2", name="elimination"), "iterations", "--iterations=elimination", "trace24.otf2")
        self.same(simrun.iterations("trace24.otf2"), "iterations", "--iterations", "trace24.otf2")
        with self.assertRaisesRegex(simrun.Error, "by function, scope or rank, not by 'site'"):
            simrun.waits("trace24.otf2", by="site")

    def test_a_part(self):
        scope = simrun.part("trace24.otf2", start="elimination:3", end="elimination:5", ranks="1-2")
        self.assertEqual(scope.json["answer"], json.loads(command(
            "-q", "-f", "json", "--from=elimination:3", "--to=elimination:5", "--ranks=1-2", "trace24.otf2"))["answer"])
        whole = simrun.part("trace24.otf2").runs["time_s"][0]
        halves = [simrun.part("trace24.otf2", **bound).runs["time_s"][0] for bound in ({"end": whole / 2}, {"start": whole / 2})]
        self.assertAlmostEqual(sum(halves), whole, 11)
        self.assertEqual(simrun.part("trace24.otf2", start=0, ranks=2).runs["ranks"].tolist(), [1])

    def test_source(self):
        Path("sources").mkdir(exist_ok=True)
        trace = SOURCE / "tests" / "data" / "traces" / "causes-stencil.otf2"
        self.assertEqual(simrun.run(trace, source="sources").answer, simrun.run(trace).answer)

    def test_call_paths(self):
        trace = SOURCE / "tests" / "data" / "call_tree.otf2"
        if trace.exists():
            self.same(simrun.call_paths(trace), "call_paths", str(trace))
        with self.assertRaisesRegex(simrun.Error, "^trace24.otf2; it has no call paths: simrun trace --paths records them$"):
            simrun.call_paths("trace24.otf2")

    def test_versions(self):
        study = simrun.compare("trace16.otf2", "trace24.otf2")
        document = json.loads(command("compare", "-q", "-f", "json", "trace16.otf2", "trace24.otf2"))
        self.assertEqual(study.json, document)
        for name in ("versions", "differences", "time_parts"):
            self.assertEqual(len(study.tables[name]), len(document[name]), name)
            for row, found in zip(document[name], study.tables[name].to_dict("records")):
                for key, value in row.items():
                    self.assertEqual(found[key] if found[key] == found[key] else None, value, f"{name}: {key}")
        several = simrun.compare(["trace16.otf2"] * 2, ["trace24.otf2"] * 3)
        self.assertEqual(several.tables["versions"]["runs"].tolist(), [2, 3])
        simrun.run("gj256", ranks=[2, 4], n=16, store="versions.db")
        stored = simrun.compare(["versions.db", "ranks=2"], ["versions.db", "ranks=4"])
        self.assertEqual(stored.tables["versions"]["ranks"].tolist(), [2, 4])
        for n in (16, 24):
            simrun.part(f"trace{n}.otf2", trace=f"trace{n}.cubex")
        profiles = simrun.compare("trace16.cubex", "trace24.cubex")
        for key in ("first_time_s", "second_time_s"):
            self.assertAlmostEqual(profiles.json[key], study.json[key], 9)
        self.assertEqual(profiles.json["versions"][1]["ranks"], 4)
        mixed = simrun.compare("trace16.otf2", "trace24.cubex")
        self.assertEqual(mixed.json["second_time_s"], profiles.json["second_time_s"])
        with self.assertRaisesRegex(simrun.Error, "nothing.otf2"):
            simrun.compare("trace16.otf2", "nothing.otf2")

    def test_without_pandas(self):
        program = "import sys; sys.modules['pandas'] = None; import simrun; study = simrun.part('trace16.otf2'); " \
                  "print(study.json['runs'][0]['ranks'], len(study.answer) > 0); study.runs"
        ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        self.assertEqual(ended.stdout, "4 True\n")
        self.assertEqual(ended.stderr.splitlines()[-1], "simrun.Error: DataFrames need pandas: sudo apt install python3-pandas, "
                         "or pip install pandas; `json` and `answer` do not")


class Words(unittest.TestCase):
    """What is called: no shell, and nothing that is taken for an option."""

    def words(self, *files, **options):
        with mock.patch.object(simrun, "_call", lambda line, out, said: out.write(json.dumps({"line": line}).encode()) and 0):
            return simrun.run(*files, **options).json["line"][1:]

    def test_values(self):
        self.assertEqual(self.words("-o", Path("a b.xml"), ranks=[1, 2], what_if=True, detail=("links", "path"), equilibrate=False,
                                    verbose=False, jobs=None, n=range(16, 65, 16), set={"platform": "x", "at": 5}),
                         ["--format=json", "--what-if", "--detail=links,path", "--set=ranks=1,2",
                          "--set=equilibrate=no", "--set=n=16..64:16", "--set=platform=x", "--set=at=5", "--", "-o", "a b.xml"])

    def test_names_that_look_like_options(self):
        with self.assertRaisesRegex(simrun.Error, "^'-o' is neither a file") as caught:
            simrun.run("-o", "taken.txt")
        self.assertEqual(caught.exception.status, 2)
        self.assertFalse(Path("taken.txt").exists())
        with self.assertRaisesRegex(simrun.Error, "taken.txt: cannot read"):
            simrun.run("gj.otf2", baseline="--output=taken.txt; touch taken.txt")
        self.assertFalse(Path("taken.txt").exists())

    def test_a_sweep_of_many_values(self):
        study = simrun.run(scenario("many.xml", "broadcast", ranks=2, bytes=1), bytes=range(1, 2001))
        self.assertEqual(study.runs["bytes"].tolist(), list(range(1, 2001)))
        with self.assertRaisesRegex(simrun.Error, "Argument list too long") as caught:
            simrun.run("many.xml", bytes=list(range(100000)))
        self.assertEqual(caught.exception.status, 126)
        with self.assertRaisesRegex(simrun.Error, "at most 100000 are allowed"):
            simrun.run("many.xml", bytes=range(1, 200001))


class Faults(unittest.TestCase):
    def fails(self, status, pattern, call, *files, **options):
        with self.assertRaisesRegex(simrun.Error, pattern) as caught:
            call(*files, **options)
        self.assertEqual(caught.exception.status, status)
        return caught.exception

    def test_the_command_refuses(self):
        error = self.fails(2, "^--set brodcast=flat: unknown parameter 'brodcast' .* 'broadcast'", simrun.run, "gj256", brodcast="flat")
        self.assertEqual(error.command[-2:], ["--", "gj256"])
        self.fails(2, "^nowhere.xml: .*No such file", simrun.run, "nowhere.xml")
        self.fails(2, "^nowhere.db: ", simrun.store, "nowhere.db")
        self.fails(2, "unknown detail 'all of it'", simrun.run, "gj256", detail="all of it")

    def test_a_deadlock(self):
        file = scenario("ring.xml", "ring", ranks=4)
        self.fails(1, "deadlock after .* rank 0 .* waits to send to rank 1", simrun.run, file, mode="synchronous")

    def test_no_command(self):
        with mock.patch.dict(os.environ, SIMRUN="/nowhere/simrun"):
            self.fails(127, "^/nowhere/simrun: no such command; set SIMRUN", simrun.run, "gj256")
        with mock.patch.dict(os.environ, SIMRUN=str(SOURCE)):
            self.fails(126, "Permission denied", simrun.run, "gj256")
        with mock.patch.dict(os.environ, SIMRUN="/bin/true"):
            self.fails(2, "^/bin/true: no results of simrun", simrun.run, "gj256")

    def test_the_command_of_this_installation(self):
        with mock.patch.dict(os.environ, SIMRUN=""):
            self.assertEqual(simrun._command(), str(Path(simrun.__file__).resolve().parents[3] / "bin" / "simrun"))
            with mock.patch.object(simrun, "__file__", str(SOURCE / "python" / "simrun.py")):
                self.assertEqual(simrun._command(), str(SOURCE / "simrun"))
            with mock.patch.object(simrun, "__file__", "/nowhere/python/simrun.py"), mock.patch.dict(os.environ, PATH="/nowhere"):
                self.assertIn(simrun._command(), ("simrun", "/bin/simrun"))

    def test_files_that_hold_no_results(self):
        for name, content in {"other.json": "{}", "broken.json": '{"simrun": "0.1.0", "runs": [{', "none.csv": "",
                              "odd.csv": "a,b\n1\n", "list.json": '{"simrun": "0.1.0", "runs": [1]}', "quote.csv": 'a\n"x'}.items():
            Path(name).write_text(content)
            self.fails(2, f"^{name}: no results of simrun: ", simrun.read, name)
        with self.assertRaises(FileNotFoundError):
            simrun.read("nowhere.json")

    def test_traces_that_are_read(self):
        simrun.run("gj256", ranks=2, n=16, trace="read.otf2")
        Path("read.ti").write_text("0 init\n0 finalize\n")
        for name in ("read.otf2", Path("read.otf2"), "read.ti"):
            self.fails(2, r"^read.\w+ is not a result; to analyze a trace, use simrun.run\('read.\w+'\)$", simrun.read, name)
        Path("read.dat").write_bytes(bytes(range(256)))
        self.fails(2, "^read.dat: no results of simrun: it is not UTF-8 text$", simrun.read, "read.dat")

    def test_options_that_are_misspelt(self):
        trace = SOURCE / "scenarios" / "traces" / "heat.ti"
        for word, option in {"platfrom": "platform", "what_iff": "what_if", "basline": "baseline"}.items():
            self.fails(2, rf"[^;]; did you mean {option}=\?$", simrun.run, trace, **{word: "icluster"})
        error = self.fails(2, "platform", simrun.run, trace, rate=1)  # resembles `trace`, but not that much
        self.assertNotIn("did you mean", str(error))
        error = self.fails(2, "'brodcast'", simrun.run, "gj256", brodcast="flat", job=2)
        self.assertEqual(str(error).count("did you mean"), 1)  # the command knows better
        file = scenario("slip.xml", "ring", ranks=4)
        self.assertNotIn("did you mean", str(self.fails(1, "deadlock", simrun.run, file, mode="synchronous")))

    def test_options_of_comparisons(self):
        for n in (16, 24):
            simrun.run("gj256", ranks=2, n=n, trace=f"odd{n}.otf2")
        pair = ("odd16.otf2", "odd24.otf2")
        for odd in ({"foo": 1}, {"start": "elimination:3"}, {"ranks": [0]}):
            self.fails(2, f"^--set {next(iter(odd))}=.* parameters are for scenarios", simrun.compare, *pair, **odd)
        self.fails(2, "; did you mean fail_if=", simrun.compare, *pair, failif="time_s > 5 %")
        self.fails(3, "^--fail-if: time_s of odd24 grew by", simrun.compare, *pair, fail_if="time_s > 5 %")
        self.fails(3, "2 of 2 conditions", simrun.compare, *pair, fail_if=["time_s > 5 %", "time_s > 6 %"])
        self.assertEqual(simrun.compare(*pair, fail_if="time_s > 900 %").answer, simrun.compare(*pair).answer)
        for call in (simrun.calls, simrun.waits, simrun.iterations, simrun.delays, simrun.call_paths, simrun.part, simrun.model):
            self.fails(2, "; foo= is no option, and was taken for a parameter$", call, "odd16.otf2", foo=1)
        self.fails(2, "; foo= is no option", simrun.forecast, "pdgemm 300 on 8", foo=1)

    def test_names_that_are_none(self):
        for call in (simrun.run, simrun.read, simrun.forecast, simrun.store):
            self.fails(2, r"^\['a', 'b'\] is not a file name; pass several names as several arguments", call, ["a", "b"])
        self.fails(2, "^3 is not a file name", simrun.read, 3)
        self.assertLess(len(str(self.fails(2, "^.'gj256', ", simrun.run, ["gj256"] * 1000))), 200)

    def test_an_older_version(self):
        document = json.loads(command("-q", "-f", "json", "--set=ranks=1,2", "gj256"))
        del document["answer"]
        Path("old.json").write_text(json.dumps(dict(document, simrun="0.0.9")))
        study = simrun.read("old.json")
        self.assertEqual((study.answer, str(study), len(study.runs)), ([], "", 2))

    def test_an_interrupt(self):
        def interrupt():
            while not runs_in("left.db"):
                time.sleep(0.02)
            os.kill(os.getpid(), signal.SIGINT)

        file = scenario("long.xml", "broadcast", ranks=128, rounds=100, bytes=1)
        threading.Thread(target=interrupt).start()
        with self.assertRaises(KeyboardInterrupt):
            simrun.run(file, bytes=range(1, 2000), store="left.db")
        self.assertEqual([path.name for path in Path().glob("left.db*")], ["left.db"])  # whole: nothing of SQLite's is beside it
        self.assertLess(runs_in("left.db"), 1999)
