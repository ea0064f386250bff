# GOAL schedules and the machine of LogGP's parameters, for what simulates them: to be sourced.
# SPDX-License-Identifier: BSD-3-Clause

# loggp_platform RANKS L o G LIMIT: such a machine, times in ns. LogGP charges a message of s bytes for s - 1, simrun for s;
# standard sends of more than LIMIT bytes are rendezvous. A rank's messages to itself cost the same.
loggp_platform() {
    local row="start=$(($2 - $4))ns byte=$4ns"
    cat <<END
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <prop id="network" value="quiet"/>
    <prop id="send_completes" value="buffered"/>
    <prop id="eager_limit" value="$5B"/>
    <prop id="send_overhead" value="start=$3ns"/>
    <prop id="receive_overhead" value="start=$3ns"/>
    <prop id="message.1" value="$row"/>
    <prop id="local.1" value="$row"/>
    <cluster id="c" prefix="n" suffix="" radical="0-$(($1 - 1))" speed="1Gf" bw="1GBps" lat="1us"/>
  </zone>
</platform>
END
}

# goal_ring RANKS BYTES ROUNDS: a message goes round; each rank computes 700 ns before it hands it on.
goal_ring() {
    awk -v p="$1" -v bytes="$2" -v rounds="$3" 'BEGIN {
        print "num_ranks " p
        for (r = 0; r < p; r++) {
            print "rank " r " {"
            n = 0
            for (k = 0; k < rounds; k++) {
                if (r > 0) receive((r + p - 1) % p)
                step("calc 700")
                step("send " bytes "b to " (r + 1) % p)
                if (r == 0) receive(p - 1)
            }
            print "}"
        }
    }
    function step(what) { n++; print "l" n ": " what; if (n > 1) print "l" n " requires l" n - 1 }
    function receive(from) { step("recv " bytes "b from " from) }'
}

# goal_broadcast RANKS BYTES: the binomial tree; a rank sends to 1, 2, 4 ... further as soon as it has the message.
goal_broadcast() {
    awk -v p="$1" -v bytes="$2" 'BEGIN {
        print "num_ranks " p
        for (r = 0; r < p; r++) {
            print "rank " r " {"
            for (k = 1; k <= r; k *= 2) before = r - k
            if (r > 0) print "got: recv " bytes "b from " before " tag 7"
            for (; r + k < p; k *= 2) {
                print "to" k ": send " bytes "b to " r + k " tag 7"
                if (r > 0) print "to" k " requires got"
            }
            print "}"
        }
    }'
}

# goal_dissemination RANKS BYTES: round k sends 2^k further, and receives from as far before; the next needs both.
goal_dissemination() {
    awk -v p="$1" -v bytes="$2" 'BEGIN {
        print "num_ranks " p
        for (r = 0; r < p; r++) {
            print "rank " r " {"
            for (k = 1; k < p; k *= 2) {
                print "s" k ": send " bytes "b to " (r + k) % p " tag " k
                print "r" k ": recv " bytes "b from " (r + p - k) % p " tag " k
                for (i = 0; i < 4 && k > 1; i++)
                    print substr("srsr", i + 1, 1) k " requires " substr("ssrr", i + 1, 1) k / 2
            }
            print "}"
        }
    }'
}

# goal_random SEED RANKS MESSAGES: random messages and computations. What takes the processor is a chain in each rank;
# receives hang beside it: they are posted at any time before an operation of the chain that requires them.
goal_random() {
    awk -v seed="$1" -v p="$2" -v messages="$3" 'BEGIN {
        srand(seed)
        for (m = 0; m < messages; m++) {
            from = int(rand() * p); to = (from + 1 + int(rand() * (p - 1))) % p; tag = int(rand() * 3)
            while (rand() < 0.6) link(from, "calc " int(rand() * 5000))
            link(from, "send 8b to " to " tag " tag)
            receive(to, "recv 8b from " from " tag " tag)
            if (rand() < 0.7) link(to, "calc " int(rand() * 3000))
        }
        print "num_ranks " p
        for (r = 0; r < p; r++) printf "rank %d {\n%s}\n", r, text[r]
    }
    function link(r, what, l, i) {
        l = "l" ++n[r]
        text[r] = text[r] l ": " what "\n"
        if (last[r] != "") text[r] = text[r] l (last_sends[r] && rand() < 0.5 ? " irequires " : " requires ") last[r] "\n"
        for (i = 0; i < waiting[r]; i++) text[r] = text[r] l " requires " got[r, i] "\n"
        waiting[r] = 0
        last[r] = l
        last_sends[r] = what ~ /^send/
    }
    function receive(r, what, l) {
        l = "l" ++n[r]
        text[r] = text[r] l ": " what "\n"
        if (last[r] != "" && rand() < 0.5) text[r] = text[r] l (rand() < 0.5 ? " irequires " : " requires ") last[r] "\n"
        if (received[r] != "") text[r] = text[r] l " irequires " received[r] "\n" # those of one tag are posted in order
        received[r] = l
        got[r, waiting[r]++] = l
    }'
}

# goal_free SEED RANKS MESSAGES: such a schedule, of which half of the dependencies are left out, so that ranks have a choice. Each
# message has a tag of its own: else one might take what another waits for.
goal_free() {
    goal_random "$@" | awk -v seed="$1" 'BEGIN { srand(7 * seed) }
        /requires/ { if (rand() < 0.5) print; next }
        /^rank/ { rank = $2 }
        / tag / { pair = $2 == "send" ? rank " " $5 : $5 " " rank; $NF += 3 * n[$2, pair, $NF]++ }
        { print }'
}
