// How programs use their arguments and their input, as far as deny rules need to know.

/** Programs that run a command contained anywhere in their arguments. */
export const WRAPPERS: ReadonlySet<string> = setOf(
  '. ash bash bind builtin busybox bwrap caffeinate catchsegv cgexec chpst choom chroot chrt command compgen complete',
  'coproc cpulimit daemonize dash dbus-launch dbus-run-session doas dumb-init eatmydata entr env eval exec expect',
  'fakechroot fakeroot faketime firejail fish flock function gdb gosu hash ionice ksh ltrace mapfile nice nohup npx nsenter',
  'numactl parallel perf pkexec prlimit proxychains proxychains4 readarray rlwrap runuser screen script sem setarch setpriv',
  'setsid sh softlimit source ssh start-stop-daemon stdbuf strace su su-exec sudo systemd-run taskset time timeout',
  'tini tmux torify torsocks toybox trap tsocks unbuffer unshare valgrind watch xargs xvfb-run zsh',
)

/** Programs that run commands. */
export const SHELLS: ReadonlySet<string> = setOf('ash bash dash fish ksh sh zsh')

/** Programs that run a script: their input, unless an argument names a file. */
export const INTERPRETERS: ReadonlySet<string> = setOf(
  'bun deno lua node perl php python python2 python3 ruby tclsh',
  ...SHELLS,
)

/** Programs that rename or link a file. */
export const RENAMERS: ReadonlySet<string> = setOf('cp install ln mv rsync')

/** Programs that never run a program named in their arguments: such a name is a file or a subcommand. */
export const PLAIN_PROGRAMS: ReadonlySet<string> = setOf(
  '[ [[ apt apt-get aws az basename brew bundle bunx cargo cat cd chgrp chmod chown cksum cmp column comm composer',
  'conda cp curl cut date dd df diff dig dirname dnf docker dotnet du echo egrep exit export expr false fgrep file find fmt',
  'fold gcloud gem gh git glab go gradle grep gsutil gunzip gzip head helm heroku hexdump hg history hostname id install',
  'jj join jq kill killall kubectl ln local ls lsof man md5sum mkdir mktemp more mv mvn nix nl npm nslookup od paste patch',
  'pdm pgrep ping pip pip3 pipx pkill pnpm podman poetry popd port printenv printf ps pushd pwd read readlink realpath',
  'return rg rm rmdir rsync rustup scp sed seq set sha1sum sha256sum shasum shift shred sleep sort stat strings sum svn',
  'swift tac tail tar tee terraform test touch tr tree true truncate type typeset tsc uname unexpand uniq unlink unset',
  'unzip uv uvx vagrant wait wc wget whereis which who whoami xxd yarn yes yum zip zstd',
)

/** Programs whose arguments are search patterns, unless one of these options is given. */
export const SEARCHERS: Readonly<Record<string, RegExp>> = {
  egrep: /^$/,
  fgrep: /^$/,
  grep: /^$/,
  rg: /^--(?:pre|hostname-bin)/,
}

function setOf(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}
