#!/usr/bin/env bash
# simrun completion: what each shell offers for words that have been begun.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
cd "$work" || exit
expect 2 "completion: unknown shell 'csh'; known: bash zsh fish" completion csh
expect 2 'too few arguments: simrun completion SHELL' completion
for shell in bash zsh fish; do
    run completion $shell
    cp out "simrun.$shell"
done

# offers EXPECTED WORD...: what is offered for the last word, by all shells that are there.
offers() {
    local expected=$1
    shift
    same "bash: $*" "$(bash_offers "$@")" "$expected"
    if command -v fish >/dev/null; then same "fish: $*" "$(fish_offers "$@")" "$expected"; fi
}
bash_offers() {
    bash -c '. ./simrun.bash && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && _simrun && printf "%s\n" "${COMPREPLY[@]}" | sort | paste -sd " "' - "$@"
}
fish_offers() {
    HOME=$work fish --no-config -c "source simrun.fish; complete -C '$*'" | cut -f 1 | sort | tr '\n' ' ' | sed 's/ $//'
}

offers model simrun mod
offers 'diff ls merge' simrun store ''
offers 'fifo fluid' simrun --network f
offers 'gj256' simrun gj25
offers 'topologies' simrun list topol
offers 'icluster icluster-gigabit icluster-loaded icluster-myrinet' simrun forecast iclus
offers '--format' simrun store ls --fo
offers '--baseline' simrun --base
offers 'bash' simrun completion ba
offers 'efficiency' simrun explain effic
same 'bash: --set' "$(bash_offers simrun --set broadcast_m)" 'broadcast_mode='
same 'bash: --set layout' "$(bash_offers simrun gj256 --set layout = '')" 'row-major snake'
same 'bash: --set network=' "$(bash_offers simrun gj256 -s network =)" 'auto fifo fluid loggp quiet'
same 'bash: --network=' "$(bash_offers simrun --network = fl)" 'fluid'
check 'bash: a word that is no setting' test -z "$(bash_offers simrun list layout sna)"
if command -v fish >/dev/null; then same 'fish: --set' "$(fish_offers simrun --set layout=s)" 'layout=snake'; fi

# Print the words that zsh would be given: its own functions are replaced by ones that print their arguments.
zsh_tells() {
    zsh -f -c 'compdef() { :; }; _arguments() { print -rl -- "$@"; }; _describe() { print -rl -- $names; }; . ./simrun.zsh
        words=("$@") CURRENT=$#; _simrun' - "$@"
}
if command -v zsh >/dev/null; then
    check 'zsh: syntax' zsh -n simrun.zsh
    same 'zsh: simrun' "$(zsh_tells simrun '' | grep -c '^[a-z]*:[a-z]')" "$(sed -n 's/^set -g __simrun_commands//p' simrun.fish | wc -w)"
    same 'zsh: simrun store' "$(zsh_tells simrun store '' | cut -d : -f 1 | sort | tr '\n' ' ')" 'diff ls merge '
    zsh_tells simrun store ls '' >told
    check 'zsh: simrun store ls' grep -qF -- '--format=[text by default; others\: see simrun list formats]:FORMAT:_values -s , value ' told
    check 'zsh: simrun store ls' test "$(grep -c '^.--' told)" -le 4
    zsh_tells simrun gj256 '' >told
    check 'zsh: --set' grep -q -- '--set=.*compadd -S "" -- ranks= .*layout=snake' told
    check 'zsh: simrun gj256' grep -qF -- '--what-if=-[' told
fi

# Every command and every option is there.
"$SIMRUN" --help | sed -n '/^Commands/,$s/^  \([a-z]*\) .*/\1/p' | sort -u >commands
check 'commands' test "$(wc -l <commands)" -ge 10
while IFS= read -r name; do
    for shell in bash zsh fish; do check "$shell has $name" grep -qw -- "$name" "simrun.$shell"; done
done <commands
"$SIMRUN" --help | grep -oE -- '--[a-z-]+' | sort -u >options
while IFS= read -r name; do
    check "bash has $name" grep -qw -- "$name" simrun.bash
    check "zsh has $name" grep -qE -- "${name}[=[]" simrun.zsh
    check "fish has $name" grep -q -- "-l ${name#--}" simrun.fish
done <options
finish
