// Answers that the reader may ask for next: while nothing else is to be done, what each control has beside it is
// simulated, one after the other, so that the simulator has the answer when it is asked for.
// SPDX-License-Identifier: BSD-3-Clause

const pause_ms = 300, // after the last answer
    most_ms = 10000; // of a command that is simulated ahead, by the time of the last one

// The values that a control has beside this one, the nearest first.
function beside({ kind, values, from, to, step }, value) {
    if (kind === "menu") {
        const place = values.indexOf(value),
            farness = other => Math.abs(values.indexOf(other) - place);
        return values.filter(other => other !== value).sort((a, b) => farness(a) - farness(b));
    }
    if (kind === "slider") return [value + step, value - step].filter(other => other >= from && other <= to);
    return kind === "factor" ? [2 * value, value / 2].filter(other => other >= 1 / 16 && other <= 16) : [];
}

// All values of an experiment's controls that differ from these by one step: of each control the nearest first.
export function nearby(controls, values) {
    const lists = controls.map(control => beside(control, values[control.name]).map(value => [control.name, value])),
        longest = Math.max(0, ...lists.map(({ length }) => length));
    const inTurn = Array.from({ length: longest }, (_, i) => lists.map(list => list[i]).filter(Boolean)).flat();
    return inTurn.map(([name, value]) => ({ ...values, [name]: value }));
}

// One for all experiments of a page: the last answer says what may come next.
export class Ahead {
    constructor(simulator) {
        this.simulator = simulator;
        this.timer = null;
        this.turn = 0;
    }

    // Stops simulating ahead, so that the reader does not wait.
    stop() {
        clearTimeout(this.timer);
        this.turn++;
        this.simulator.stop(this);
    }

    // requests: functions that make { args, files }. ms: how long the last answer took.
    begin(requests, ms) {
        this.stop();
        if (ms > most_ms || document.hidden) return;
        const turn = this.turn;
        this.timer = setTimeout(async () => {
            for (const prepare of requests) {
                if (turn !== this.turn) return;
                await this.simulator.run({ owner: this, prepare });
            }
        }, pause_ms);
    }
}
