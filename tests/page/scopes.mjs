// Scopes that lie in each other, as a tree: one in several stands at the top, and so does one of a circle.
// SPDX-License-Identifier: BSD-3-Clause
import { scopesIn, scopeTree } from "../../page/src/scope_tree.js";

let failed = 0;
const lies = text => text.split(" ").map(pair => ({ scope: pair[0], parent: pair[1] }));
const told = tree => tree.map(({ scope, below }) => scope + (below.length > 0 ? `(${told(below)})` : "")).join(" ");

function check(name, got, wanted) {
    if (got !== wanted) console.log(`FAILED: ${name}: ${got} instead of ${wanted}`);
    failed += got !== wanted;
}

check("scopes side by side", told(scopeTree(["a", "b"])), "a b");
check("scopes in each other", told(scopeTree(["a", "b", "c"], lies("bp ab cp"))), "p(b(a) c)");
check("a scope in two others", told(scopeTree(["a", "b", "c"], lies("ab ac"))), "a b c");
check("which these are", scopeTree(["a", "b", "c"], lies("ab ac"))[0].lies.join(" "), "b c");
check("a circle", told(scopeTree(["a", "b", "c"], lies("ab ba ca"))), "a(b c)");
check("a scope and all in it", scopesIn(scopeTree(["a"], lies("bp ab cp"))[0]).join(" "), "p b a c");

// Each scope stands in the tree once, whatever lies in what.
let state = 7;
const random = n => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8) % n;
for (let round = 0; round < 300; round++) {
    const names = [..."abcdefgh"].slice(0, 1 + random(8));
    const pairs = Array.from({ length: random(12) }, () => names[random(names.length)] + names[random(names.length)]);
    const known = [...new Set(pairs)].filter(([scope, parent]) => scope !== parent);
    const tree = scopeTree(names, known.length > 0 ? lies(known.join(" ")) : []);
    check(known.join(" "), tree.flatMap(scopesIn).sort().join(""), names.join(""));
}
console.log(failed === 0 ? "passed" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
