import { named, type Program } from './program.ts';

const RUNS_IT: Program = { ordered: true, launch: {} };

/** Programs whose arguments are another command. `transparent`: an allow looks at that command alone. */
export const LAUNCHERS: Record<string, Program> = {
  env: {
    ordered: true,
    plain: '-i -u: --ignore-environment --unset= -',
    runs: '-S: --split-string=',
    moves: '-C: --chdir=',
    launch: { transparent: true, assigns: true },
  },
  timeout: {
    ordered: true,
    plain: '-fpvk: -s: --foreground --preserve-status --verbose --kill-after= --signal=',
    launch: { transparent: true, skip: 1 },
  },
  nice: { ordered: true, plain: '-#n: --adjustment=', launch: { transparent: true } },
  nohup: { ordered: true, launch: { transparent: true } },
  stdbuf: { ordered: true, plain: '-i: -o: -e: --input= --output= --error=', launch: { transparent: true } },
  time: { ordered: true, plain: '-p', writes: '-o: -a --output= --append', launch: { transparent: true } },
  command: { ordered: true, plain: '-pvV', launch: { transparent: true } },
  builtin: { ordered: true, launch: { transparent: true } },
  exec: { ordered: true, runs: '-a: -l -c', launch: { transparent: true } },

  sudo: {
    ordered: true,
    spelled: true,
    plain:
      '-ABbEeHiklnPSsVv -g: -p: -u: -C: -h: -r: -t: -T: -U: --background --login --non-interactive --stdin --shell --set-home --group= --prompt= --user= --other-user= --preserve-env? --reset-timestamp --host=',
    moves: '-D: -R: --chdir= --chroot=',
    launch: { assigns: true },
  },
  doas: { ordered: true, spelled: true, plain: '-Lnsu: -a: -C:', launch: {} },
  ...named('su runuser', {
    spelled: true,
    plain: '-lmp -g: -G: -s: -u: -w: -P --login --group= --shell= --user= --preserve-environment --pty -',
    runs: '-c: --command= --session-command=',
    launch: { skip: 1, afterDashes: true },
  }),
  pkexec: { ordered: true, spelled: true, plain: '--user= --disable-internal-agent --keep-cwd', launch: {} },
  xargs: {
    ordered: true,
    plain:
      '-0oprtxeil -a: -d: -E: -I: -L: -n: -P: -s: -J: -R: -S: --null --no-run-if-empty --verbose --interactive --exit --open-tty --arg-file= --delimiter= --max-args= --max-procs= --max-lines? --max-chars= --replace? --eof? --show-limits',
    launch: { appends: true },
  },
  rargs: { ordered: true, launch: { appends: true } },
  parallel: {
    ordered: true,
    plain:
      '-0kuvtXmqrj: -a: -d: -I: -L: -N: -n: -P: -S: -s: -C: --jobs= --keep-order --group --ungroup --dry-run --bar --eta --progress --halt= --joblog= --results= --colsep= --line-buffer --tag --no-notice --will-cite --null --arg-file= --max-args= --delay= --timeout= --retries= --pipe --link',
    launch: { appends: true, shell: true },
  },
  setsid: { ordered: true, plain: '-cfw --ctty --fork --wait', launch: {} },
  ionice: { ordered: true, plain: '-tc: -n: --class= --classdata= --ignore', launch: {} },
  chrt: { ordered: true, plain: '-abdfiorRvmp -T: -P: -D: --idle --batch --fifo --rr --other', launch: { skip: 1 } },
  taskset: { ordered: true, plain: '-acp --cpu-list --all-tasks', launch: { skip: 1 } },
  flock: {
    ordered: true,
    plain: '-exsunoFvw: -E: --exclusive --shared --nonblock --unlock --wait= --timeout= --close --no-fork --verbose',
    runs: '-c: --command=',
    launch: { skip: 1 },
  },
  chroot: { ordered: true, plain: '--userspec= --groups= --skip-chdir', launch: { skip: 1 } },
  unshare: {
    ordered: true,
    plain: '-rcfmuinpUCT -S: -G: -R: -w: --fork --pid --net --mount --user --map-root-user --mount-proc? --root= --wd=',
    launch: {},
  },
  nsenter: { ordered: true, plain: '-amuinpCUFt: -S: -G: --target= --all --mount --net --pid --uts --ipc', launch: {} },
  caffeinate: { ordered: true, plain: '-disumt: -w:', launch: {} },
  arch: { ordered: true, plain: '-arm64 -x86_64 -arm64e', style: 'words', launch: {} },
  script: { plain: '-aefqrtET: -I: -O: -B: -o: --quiet --append --flush', runs: '-c: --command=', launch: { skip: 1 } },
  watch: {
    ordered: true,
    plain:
      '-bcdegtxwn: --beep --color --differences? --errexit --chgexit --no-title --exec --interval= --precise --no-wrap',
    launch: { shell: true },
  },
  strace: {
    ordered: true,
    plain: '-cCdDfFhiknqrtTvVwxyzZ -a: -b: -e: -I: -O: -p: -P: -s: -S: -u: -E: -X:',
    writes: '-o: -A',
    launch: {},
  },
  ltrace: {
    ordered: true,
    plain: '-bcCfhiLrStTV -a: -A: -D: -e: -l: -n: -p: -s: -u: -w: -x:',
    writes: '-o:',
    launch: {},
  },
  'systemd-run': {
    ordered: true,
    plain:
      '-tdPqGSru: -p: -E: -M: -H: --user --system --scope --wait --pipe --pty --quiet --collect --unit= --property= --setenv= --description= --slice= --uid= --gid= --nice= --working-directory= --service-type= --same-dir --no-block --on-active= --on-calendar= --send-sighup --shell --machine= --host=',
    launch: {},
  },
  'systemd-inhibit': { ordered: true, plain: '--what= --who= --why= --mode= --list', launch: {} },
  ssh: {
    plain: '-1246AaCfGgKkMNnqsTtVvXxYy -b: -c: -D: -e: -I: -i: -J: -L: -l: -m: -O: -p: -Q: -R: -S: -W: -w: -B: -P:',
    runs: '-o: -F: -E:',
    ordered: true,
    harmless: {
      '-o': /^(BatchMode|StrictHostKeyChecking|ConnectTimeout|ServerAlive\w+|UserKnownHostsFile|LogLevel|Port|User|IdentitiesOnly|PasswordAuthentication)[= ][\w./@-]+$/,
    },
    launch: { skip: 1, shell: true },
    // it keeps reading options after the host
    judge: ({ words, operands }) => {
      const behind = operands.slice(1);
      const command = behind.findIndex((at) => !words[at]!.startsWith('-'));
      return behind.slice(0, command === -1 ? undefined : command).map((at) => ({ at, effect: 'runs' }));
    },
  },
  mosh: { launch: { skip: 1, afterDashes: true } },
  sshpass: { ordered: true, plain: '-p: -f: -d: -e -v', launch: {} },
  busybox: RUNS_IT,
  toybox: RUNS_IT,
  proot: RUNS_IT,
  fakeroot: RUNS_IT,
  chronic: RUNS_IT,
  unbuffer: { ordered: true, plain: '-p', launch: { transparent: true } },
  'dbus-run-session': { ordered: true, plain: '--config-file= --dbus-daemon=', launch: {} },
  'xvfb-run': {
    ordered: true,
    plain: '-aln: -s: -e: -f: -w: -p: --auto-servernum --server-num= --server-args=',
    launch: {},
  },
  entr: { ordered: true, plain: '-acdnprsxz', launch: {} },
  coproc: RUNS_IT,
  noglob: RUNS_IT,
  nocorrect: RUNS_IT,
  repeat: { ordered: true, launch: { skip: 1 } },
  ...named('gosu su-exec', { ordered: true, launch: { skip: 1 } }),
  setpriv: {
    ordered: true,
    plain:
      '--reuid= --regid= --clear-groups --init-groups --keep-groups --no-new-privs --inh-caps= --bounding-set= --reset-env',
    launch: {},
  },
  tini: { ordered: true, plain: '-svwgp: -e:', launch: {} },
  'dumb-init': { ordered: true, plain: '-cvr:', launch: {} },
  'cross-env': { ordered: true, launch: { assigns: true } },
  dotenv: { plain: '-e: -v: -c? -o -p:', ordered: true, launch: {} },
  gita: { subcommands: { super: { ordered: true, spelled: true, launch: { skip: 1, as: 'git' } } } },
  direnv: { subcommands: { exec: { ordered: true, launch: { skip: 1 } } } },
};
