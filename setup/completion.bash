# Completes the commands, actions and options of arena-cam in bash:
#   source setup/completion.bash
# What there is to choose from is asked of the program's own help, so it is always what this version has.

_arena_cam() {
    local word=${COMP_WORDS[COMP_CWORD]} help
    local before=("${COMP_WORDS[@]:1:COMP_CWORD-1}") asked=()
    local each
    for each in "${before[@]}"; do # the command and its action; options and files follow
        [[ $each =~ ^[a-z][a-z-]*$ && ${#asked[@]} -lt 2 ]] || break
        asked+=("$each")
    done
    # A word that is no action (a source, say) is left out.
    help=$(arena-cam "${asked[@]}" --help 2>/dev/null) || help=$(arena-cam "${asked[@]:0:1}" --help 2>/dev/null) || return 0
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(grep -oE -- '--?[a-z][a-z-]*' <<<"$help" | sort -u)" -- "$word")
    else # commands and actions stand four columns in, in the list that names them
        mapfile -t COMPREPLY < <(compgen -W "$(sed -nE 's/^    ([a-z][a-z-]*)( .*|$)/\1/p' <<<"$help")" -- "$word")
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
    fi
}

complete -o filenames -F _arena_cam arena-cam
