import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FILES: Record<string, string> = {
  'in.txt': 'a,1\nb,2\nx y\n',
  'b/x.txt': 'x\n',
  list: 'in.txt\n',
  magic: '0 string x Text\n',
  '-delete': '',
  '--output=pwn': '',
  Makefile: 'all other:\n\t@true $(ARGS)\n',
  'evil.mk': 'all:\n\t./evil\n',
  'sub/Makefile': 'all:\n\t../evil\n',
  'evil.sed': 'w pwn\n',
  'evil.awk': 'BEGIN { system("./evil") }\n',
  'evil.list': '--checkpoint=1\n--checkpoint-action=exec=./evil\nin.txt\n',
  'evil.curlrc': 'output = pwn\n',
  'evil.w': '%output{pwn}x',
};
/** Another implementation of a program can be tried from its own folder. */
const PATH = [...(process.env.FUZZ_PATH ? [process.env.FUZZ_PATH] : []), '/usr/bin', '/bin'].join(':');
const NOBODY = 65534;
const IS_ROOT = process.getuid?.() === 0;

/**
 * A folder where commands run for real, as an unprivileged user, to see whether they write, delete or run something. `./evil` leaves a mark
 * when it runs.
 */
export class Sandbox {
  readonly root = mkdtempSync(join(tmpdir(), 'rules-fuzz-'));
  readonly work = join(this.root, 'work');
  readonly #mark = join(this.root, 'marks', 'ran');
  #clean = '';

  constructor() {
    this.#fill();
  }

  has(program: string): boolean {
    return spawnSync('bash', ['-c', `command -v ${program}`], { env: { PATH } }).status === 0;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** The commands that had an effect. Most have none, so they are first tried together. */
  harmful(commands: string[], { mayWrite }: { mayWrite: boolean }): { command: string; effect: string }[] {
    this.#run(commands);
    const effect = this.#effect(mayWrite);
    if (effect === undefined) return [];
    this.#fill();
    if (commands.length === 1) return [{ command: commands[0]!, effect }];
    const half = Math.ceil(commands.length / 2);
    return [
      ...this.harmful(commands.slice(0, half), { mayWrite }),
      ...this.harmful(commands.slice(half), { mayWrite }),
    ];
  }

  #run(commands: string[]): void {
    // a runaway command must not fill the disk
    const script = `ulimit -f 20000; while IFS= read -r -d '' c; do timeout 5 bash --norc --noprofile -c "$c" </dev/null >/dev/null 2>&1; done`;
    spawnSync('bash', ['--norc', '--noprofile', '-c', script], {
      cwd: this.work,
      input: commands.map((each) => `${each}\0`).join(''),
      env: {
        ...{ PATH, HOME: join(this.root, 'home'), LC_ALL: 'C', MARK: this.#mark, EVIL: './evil' },
        ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', TMPDIR: join(this.root, 'home') },
      },
      ...(IS_ROOT ? { uid: NOBODY, gid: NOBODY } : {}),
      timeout: 120_000,
    });
  }

  #effect(mayWrite: boolean): string | undefined {
    if (existsSync(this.#mark)) return 'ran ./evil';
    const now = mayWrite ? this.#clean : snapshot(this.work);
    if (now === this.#clean) {
      // files it may write must not stay for the next command
      if (mayWrite && snapshot(this.work) !== this.#clean) this.#fill();
      return undefined;
    }
    const before = new Set(this.#clean.split('\n'));
    const after = new Set(now.split('\n'));
    const changed = [
      ...[...after].filter((line) => !before.has(line)),
      ...[...before].filter((line) => !after.has(line)),
    ];
    return `changed ${changed.map((line) => line.split(' ')[0]).join(' ')}`;
  }

  #fill(): void {
    rmSync(this.work, { recursive: true, force: true });
    for (const folder of ['work', 'work/b', 'work/sub', 'marks', 'home'])
      mkdirSync(join(this.root, folder), { recursive: true });
    rmSync(this.#mark, { force: true });
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(this.work, name), text);
    writeFileSync(join(this.work, 'evil'), '#!/bin/sh\n: > "$MARK"\n');
    chmodSync(join(this.work, 'evil'), 0o755);
    if (IS_ROOT) own(this.root);
    this.#prepare(
      'git config --global user.name x; git config --global user.email x; git config --global protocol.ext.allow always; ' +
        'seq 60000 > big; tar cf a.tar in.txt b big; gzip -c in.txt > a.gz; ' +
        'git init -q .; git add in.txt b Makefile; git commit -qm x; echo z >> in.txt; ' +
        'git init -q sub; git -C sub config core.fsmonitor ../evil; ' +
        'git init -q evilrepo; mv evilrepo/.git evilrepo.git; rm -rf evilrepo; mv evilrepo.git evilrepo; ' +
        'git --git-dir=evilrepo config core.fsmonitor ./evil; git status >/dev/null',
    );
    rmSync(this.#mark, { force: true });
    this.#clean = snapshot(this.work);
  }

  #prepare(script: string): void {
    this.#run([script]);
  }
}

function own(path: string): void {
  chownSync(path, NOBODY, NOBODY);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) own(join(path, name));
}

/** Names and contents. Git's own files change even when it only reads. */
function snapshot(folder: string, prefix = ''): string {
  return readdirSync(folder)
    .sort()
    .filter((name) => name !== '.git')
    .map((name) => {
      const path = join(folder, name);
      const about = lstatSync(path);
      if (about.isSymbolicLink()) return `${prefix}${name} -> ${readlinkSync(path)}`;
      if (about.isDirectory()) return `${prefix}${name}/\n${snapshot(path, `${prefix}${name}/`)}`;
      return `${prefix}${name} ${about.mode} ${createHash('md5').update(readFileSync(path)).digest('hex')}`;
    })
    .join('\n');
}
