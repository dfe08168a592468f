// What programs do with their arguments and their input, as far as it matters for rules that deny.

/** Programs that run what their arguments say, wherever among these it stands. */
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

/** Programs that run a script: that of their input, when no argument names another. */
export const INTERPRETERS: ReadonlySet<string> = setOf(
  'bun deno lua node perl php python python2 python3 ruby tclsh',
  ...SHELLS,
)

/** Programs that give a file another name. */
export const RENAMERS: ReadonlySet<string> = setOf('cp install ln mv rsync')

/** Programs that run no program that an argument of theirs names: what looks like one is a file or a word of their own. */
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

/** Programs that only search for what their arguments say, but for these options. */
export const SEARCHERS: Readonly<Record<string, RegExp>> = {
  egrep: /^$/,
  fgrep: /^$/,
  grep: /^$/,
  rg: /^--(?:pre|hostname-bin)/,
}

function setOf(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}
