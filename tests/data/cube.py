"""Makes small profiles in Cube's format 4, by its description (docs/cube_file_format.md of pyCubexR): cube.py FOLDER.

plain.cubex: three nodes main > (work > MPI_Send, MPI_Recv), two locations, the times of which are exact in binary;
packed.cubex has the same values, packed by zlib; big.cubex with the highest bytes first; gzip.cubex is packed as a whole.
The inclusive metric numbers the children of a node side by side, before what is below them.
SPDX-License-Identifier: BSD-3-Clause
"""
import gzip
import io
import os
import struct
import sys
import tarfile
import zlib

ANCHOR = """<?xml version="1.0" encoding="UTF-8"?>
<cube version="4.4">
<attr key="Creator" value="cube.py"/>
<metrics>
<metric id="0" type="EXCLUSIVE"><disp_name>Visits</disp_name><uniq_name>visits</uniq_name><dtype>UINT64</dtype><uom>occ</uom></metric>
<metric id="1" type="INCLUSIVE"><disp_name>Time</disp_name><uniq_name>time</uniq_name><dtype>DOUBLE</dtype><uom>sec</uom></metric>
<metric id="2" type="EXCLUSIVE"><uniq_name>max_time</uniq_name><dtype>MAXDOUBLE</dtype><uom>sec</uom></metric>
<metric id="3" type="EXCLUSIVE"><uniq_name>loss</uniq_name><dtype>INT32</dtype><uom>#</uom></metric>
</metrics>
<program>
<region id="7"><name>main</name><paradigm>compiler</paradigm></region>
<region id="9"><name>work&lt;double&gt;</name><paradigm>compiler</paradigm></region>
<region id="8"><name>MPI_Send</name><paradigm>mpi</paradigm></region>
<region id="3"><name>MPI_Recv</name><paradigm>mpi</paradigm></region>
<cnode id="0" calleeId="7"><cnode id="1" calleeId="9"><cnode id="2" calleeId="8"/></cnode><cnode id="3" calleeId="3"></cnode></cnode>
</program>
<system><systemtreenode Id="0"><name>machine</name><class>machine</class>
<locationgroup Id="0"><name>MPI Rank 0</name><rank>0</rank><location Id="0"><name>Master thread</name></location></locationgroup>
<locationgroup Id="1"><name>MPI Rank 1</name><rank>1</rank><location Id="1"><name>Master thread</name></location></locationgroup>
</systemtreenode></system>
</cube>
"""

# Nodes in their order main, work, MPI_Send, MPI_Recv; two locations each.
VISITS = [(1, 1), (2, 3), (4, 5), (6, 7)]
# With what is below, in the order main, work, MPI_Recv, MPI_Send: alone 1 and 2, 2 and 5, 0.5 and 1, 0.25 and 0.5 s.
TIMES = [(3.75, 8.5), (2.25, 5.5), (0.5, 1.0), (0.25, 0.5)]
# Values of main and MPI_Recv only.
LOSSES = {0: (-1, -2), 3: (3, 4)}


def index(nodes, order):
    return b"CUBEX.INDEX" + struct.pack(order + "ihBI", 1, 0, 1, len(nodes)) + struct.pack(order + "%dI" % len(nodes), *nodes)


def values(rows, kind, order, packs):
    rows = [struct.pack(order + kind * len(row), *row) for row in rows]
    if not packs:
        return b"CUBEX.DATA" + b"".join(rows)
    packed = [zlib.compress(row) for row in rows]
    heads = b"".join(struct.pack(order + "3q", 0, 0, len(row)) for row in packed)
    return b"ZCUBEX.DATA" + struct.pack(order + "q", len(rows)) + heads + b"".join(packed)


def archive(order="<", packs=False, anchor=ANCHOR, leave_out=()):
    files = {
        "0.data": values(VISITS, "Q", order, packs),
        "0.index": index(range(4), order),
        "1.data": values(TIMES, "d", order, packs),
        "1.index": index(range(4), order),
        "2.data": values(TIMES, "d", order, packs),
        "2.index": index(range(4), order),
        "3.data": values(LOSSES.values(), "i", order, packs),
        "3.index": index(LOSSES, order),
        "anchor.xml": anchor.encode(),
    }
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in files.items():
            if name not in leave_out:
                info = tarfile.TarInfo(name)
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def main(folder):
    os.makedirs(folder, exist_ok=True)
    bad = {
        "no-index": archive(leave_out=["1.index"]),
        "no-anchor": archive(leave_out=["anchor.xml"]),
        "no-time": archive(anchor=ANCHOR.replace(">time<", ">other<")),
        "cut-xml": archive(anchor=ANCHOR[:-40]),
        "no-region": archive(anchor=ANCHOR.replace('calleeId="8"', 'calleeId="88"')),
        "cut": archive(leave_out=["3.data", "3.index"]).replace(b"CUBEX.DATA", b"CUBEX.DATE"),
    }
    good = {
        "plain": archive(),
        "packed": archive(packs=True),
        "big": archive(order=">"),
        "gzip": gzip.compress(archive(), mtime=0),
    }
    for name, content in {**good, **bad}.items():
        with open(os.path.join(folder, name + ".cubex"), "wb") as file:
            file.write(content)


main(sys.argv[1])
