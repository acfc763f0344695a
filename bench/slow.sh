#!/bin/sh
# The tests on a slow machine: each process of them held to a quarter of a core, or beside four busy loops.
#
#     sudo bench/slow.sh quarter [FILE ...]     # by a control group where root may make one, else by cpulimit
#     bench/slow.sh crowded [FILE ...]
#
# FILE ... are test files or folders, all of tests/ without any. A quarter is meant for each process of pytest with all
# servers that it starts, which is less than a quarter for each; there are JOBS of them (four a core), each with its share
# of the files. What each said is in the folder that is named first; at the end stand the last lines, and whether all passed.
# Nothing but a machine that hangs should fail here: a test that asserts how long something took is a wrong test.
set -u
cd "$(dirname "$0")/.." || exit 2
how=${1:-}
[ $# -gt 0 ] && shift
python=${PYTHON:-.venv/bin/python}
out=$(mktemp -d)
echo "$out"
group=
loops=
pids=

cleanup() {
    for one in $loops $pids; do kill "$one" 2>/dev/null; done
    for one in $group; do rmdir "$one" 2>/dev/null; done
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# A control group of our own that holds what is in it to a quarter of a core: version 2, else version 1; or nothing.
quarter_group() {
    if [ -w /sys/fs/cgroup/cgroup.procs ] && grep -qw cpu /sys/fs/cgroup/cgroup.subtree_control 2>/dev/null; then
        one=/sys/fs/cgroup/pbem-quarter-$$-$1
        mkdir "$one" 2>/dev/null && echo "25000 100000" 2>/dev/null >"$one/cpu.max" && echo "$one" && return
    fi
    if [ -w /sys/fs/cgroup/cpu/cgroup.procs ]; then
        one=/sys/fs/cgroup/cpu/pbem-quarter-$$-$1
        mkdir "$one" 2>/dev/null && echo 25000 2>/dev/null >"$one/cpu.cfs_quota_us" && echo "$one"
    fi
}

case $how in
quarter)
    jobs=${JOBS:-$((4 * $(nproc)))}
    ;;
crowded)
    jobs=${JOBS:-1}
    for _ in 1 2 3 4; do
        sh -c 'while :; do :; done' &
        loops="$loops $!"
    done
    ;;
*)
    sed -n '2,5s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac

find "${@:-tests}" -name 'test_*.py' | sort -u >"$out/files"
failed=0
for job in $(seq "$jobs"); do
    awk -v of="$jobs" -v job="$job" 'NR % of == job % of' "$out/files" >"$out/$job.files"
    [ -s "$out/$job.files" ] || continue
    run="$python -m pytest -n 0 -q -p no:cacheprovider --tb=short"
    one=
    [ "$how" = quarter ] && one=$(quarter_group "$job")
    group="$group $one"
    (
        if [ -n "$one" ]; then
            echo 0 >"$one/cgroup.procs" || exit 2
        elif [ "$how" = quarter ]; then
            run="cpulimit --foreground --monitor-forks --limit=25 -- $run"
        fi
        # shellcheck disable=SC2046,SC2086  # names of test files have no blanks
        exec $run $(cat "$out/$job.files") >"$out/$job.log" 2>&1
    ) &
    pids="$pids $!"
done
for pid in $pids; do wait "$pid" || failed=$((failed + 1)); done
ran=$(echo $pids | wc -w)
pids=
for log in "$out"/*.log; do
    grep -E '^(FAILED|ERROR) ' "$log"
    tail -n 1 "$log"
done
echo "$how: $failed of $ran processes failed"
[ "$failed" = 0 ]
