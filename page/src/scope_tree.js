// Scopes that lie in each other, as a tree.
// SPDX-License-Identifier: BSD-3-Clause

// lies: [{ scope, parent }]. A scope is below the one that it lies in; one that lies in several, or in a circle, stands
// at the top. [{ scope, below, lies: the several }]
export function scopeTree(names, lies = []) {
    const parents = new Map(),
        seen = new Set();
    for (const { scope, parent } of lies) parents.set(scope, [...(parents.get(scope) ?? []), parent]);
    const all = [...new Set([...names, ...lies.flatMap(({ scope, parent }) => [parent, scope])])];
    const liesIn = scope => parents.get(scope) ?? [];
    const treeOf = scope => {
        seen.add(scope);
        const below = all.filter(one => !seen.has(one) && liesIn(one).length === 1 && liesIn(one)[0] === scope);
        return { scope, below: below.map(treeOf), lies: liesIn(scope).length > 1 ? liesIn(scope) : [] };
    };
    const tops = all.filter(scope => liesIn(scope).length !== 1).map(treeOf);
    for (const scope of all) if (!seen.has(scope)) tops.push(treeOf(scope));
    return tops;
}

// The scope and all below it.
export const scopesIn = ({ scope, below }) => [scope, ...below.flatMap(scopesIn)];
