import { beforeAll, describe, expect, it } from 'vitest';
import { loadBash } from '../bash/grammar.ts';
import type { RulesIo } from '../call-facts.ts';
import { decide } from '../decide.ts';
import { RuleSet } from '../rule-set.ts';

let io: RulesIo;
beforeAll(async () => {
  io = { parseBash: await loadBash(), realPath: (path) => path };
});

function judge(pattern: string, command: string): string {
  const rule = {
    ...({ id: 'r', scope: 'global', priority: 0, enabled: true, reason: '', createdAt: 0, decision: 'allow' } as const),
    pattern: { toolName: 'Bash', parameters: { command: pattern } },
  };
  const call = { toolName: 'Bash', toolInput: { command }, cwd: '/w/app', project: '/w/app', home: '/home/op', now: 1 };
  return decide(call, new RuleSet([rule]), io).decision;
}

describe('a wildcard does not cover what runs, writes or deletes', () => {
  it.each([
    // `--` doesn't end the options of these
    ['find *', 'find -- . -delete'],
    ['find *', "find -- . -exec sh -c 'x' \\;"],
    ['find *', 'find . -name -- -delete'],
    ['awk *', `awk -- 'BEGIN{system("id")}'`],
    ['make *', 'make -- SHELL=/x all'],
    ['printf *', "printf -- %d 'a[$(id)]'"],
    ['sort *', 'sort -t -- -o x f'],
    ['curl *', 'curl -- -o x https://a'],
    // clusters with the value attached
    ['git grep *', 'git grep -nO/x/e x'],
    ['make *', 'make -sf/x/e.mk'],
    ['sort *', 'sort -uo/path f'],
    ['sort *', 'sort -k2,2 -uo/path f'],
    ['sed *', 'sed -Ei.bak s/a/b/ f'],
    ['sed *', 'sed -nie p f'],
    ['tar *', 'tar xIf ./evil a.tar'],
    ['tar *', 'tar -xIf ./evil a.tar'],
    ['tar *', 'tar cfT a.tar list'],
    ['tar *', 'tar xf host:a.tar'],
    ['pytest *', 'pytest -vvc/x/e.ini'],
    ['git clone *', 'git clone -qu/x/e r'],
    ['tree *', 'tree -ao x'],
    ['tree *', 'tree -LLo 1 2 x'],
    ['tree *', 'tree -R -L 1 -H .'],
    ['fd *', 'fd -Hx rm'],
    ['curl *', 'curl -sSo/x https://a'],
    ['curl *', 'curl -sw "%output{x}" https://a'],
    ['wget *', 'wget -qO/x https://a'],
    // what a file glob finds can be an option
    ['find *', 'find b -d*'],
    ['find *', 'find b *'],
    ['sort *', 'sort -*'],
    ['git log *', 'git log --out*'],
    // after a runner
    ['npx vitest *', 'npx vitest --config /x/e.ts'],
    ['npx -y vitest *', 'npx -y vitest@2 run -c /x/e.ts'],
    ['npx *', 'npx -c "id"'],
    ['yarn vitest *', 'yarn vitest run --root /x'],
    ['pnpm exec vitest *', 'pnpm exec vitest --config=/x/e.ts'],
    ['pnpm test *', 'pnpm test --config.script-shell=/x'],
    ['pnpm test *', 'pnpm --config.script-shell=/x test'],
    ['npm test *', 'npm test --script-shell /x'],
    ['npm test *', 'npm test -- --config /x/e.ts'],
    ['npm run *', 'npm run test -- --globalSetup=/x/e.ts'],
    ['npm run *', "npm run test -- '$(id)'"],
    ['uv run pytest *', 'uv run pytest -p evil'],
    ['python3 -m pytest *', 'python3 -m pytest -c/x/e.ini'],
    ['python3 -m pytest *', 'python3 -m pytest @args'],
    ['sudo find *', 'sudo find . -delete'],
    ['docker exec app find *', 'docker exec app find . -delete'],
    ['watch git *', "watch git log ';id'"],
    ['ssh host *', 'ssh host -o ProxyCommand=id ls'],
    ['ssh host git *', "ssh host git log '; id'"],
    ['xargs *', 'xargs sort -o x'],
    // values that are code
    ['sed *', "sed -n '1e id' f"],
    ['sed *', "sed 's/a/b/w x' f"],
    ['sed *', "sed -e p -e 'w x' f"],
    ['sed *', "sed --expression='1w x' f"],
    ['awk *', `awk '{print > "x"}' f`],
    ['awk *', `awk '{print $1,\n$2 > "x"}' f`],
    ['awk *', `awk '{ "id" | getline }' f`],
    ['awk *', `awk 'BEGIN { x = $/"/; print | "sh"; y = /"/ }'`],
    ['awk *', 'awk -f x.awk f'],
    ['make *', 'make test ARGS="; id"'],
    ['make *', 'make -C /x test'],
    ['go test *', 'go test --exec=/x ./...'],
    ['cargo test *', 'cargo test -- --logfile x'],
    ['cargo clippy *', 'cargo clippy -- -C linker=/x'],
    ['cargo *', 'cargo --config=/x build'],
    ['git *', 'git -c core.pager=/x log'],
    ['git *', "git bisect run sh -c 'id'"],
    ['git *', 'git -C /x status'],
    ['git log *', 'git log --outp=x'],
    ['git diff *', 'git diff --output x'],
    ['git fetch *', 'git fetch "ext::sh -c id" x'],
    ['docker run *', 'docker run -v /:/x alpine'],
    ['docker run *', 'docker run --privileged alpine'],
    ['docker compose *', 'docker compose -f /x/e.yml up'],
    ['kubectl get *', 'kubectl get pods --kubeconfig=/x'],
    ['terraform plan *', 'terraform plan -out=/x'],
    ['psql *', "psql -c '\\! id'"],
    ['uniq *', 'uniq a b'],
    ['xxd *', 'xxd a b'],
    ['date *', 'date 010100002030'],
    ['rg *', 'rg --pre /x y'],
    // unknown programs
    ['mytool *', 'mytool --exec id'],
    ['mytool *', 'mytool -x'],
    ['mytool *', 'mytool a -- -x'],
    ['mytool build *', 'mytool build -o x'],
    ['npx mytool *', 'npx mytool --exec id'],
    ['vim *', 'vim +!id f'],
  ])('%s: %s', (pattern, command) => {
    expect(judge(pattern, command)).toMatch(/^(ask|none)$/);
  });
});

describe('a pattern that spells it out does cover it', () => {
  it.each([
    ['find * -delete', 'find . -name x -delete'],
    ['sort -o out *', 'sort -o out f'],
    ['sort -u*o* f', 'sort -ruo x f'.replace('-ruo', '-uo')],
    ['git log --output=*', 'git log --output=x'],
    ['git -C * status', 'git -C /x status'],
    ['make -f other.mk *', 'make -f other.mk all'],
    ['npx vitest * --config *', 'npx vitest run --config e.ts'],
    ['mytool --exec *', 'mytool --exec id'],
    ['sudo find *', 'sudo find . -name x'],
    ['docker run -v * alpine *', 'docker run -v /:/x alpine ls'],
    ["psql -c '\\\\! id'", "psql -c '\\! id'"],
  ])('%s: %s', (pattern, command) => {
    expect(judge(pattern, command)).toBe('allow');
  });

  it.each([
    ['sort -r* f', 'sort -ro f'],
    ['find . ???????', 'find . -delete'],
    ['git log -*', 'git log --output=x'],
    ['sort -only *', 'sort -o x'],
  ])('but not one with the same prefix: %s: %s', (pattern, command) => {
    expect(judge(pattern, command)).toMatch(/^(ask|none)$/);
  });
});

describe('a wildcard covers the ordinary use', () => {
  it.each([
    ['git log *', 'git --no-pager log -5'],
    ['git status *', 'git -C /w/app status'],
    ['git status *', 'git -C . status'],
    ['git log *', 'git -c color.ui=never log'],
    ['kubectl logs *', 'kubectl -n a --context=b logs x -f'],
    ['npm run *', 'npm -w a run build'],
    ['make *', 'make -C . -j4 V=1 test'],
    ['sed *', "sed -n '/^## /,/^$/p;$!{N;d}' f"],
    ['awk *', `awk -F'|' '$3 > 5 && /a|b/ { print $1 ": " $2; n++ } END { print n / 2 }' f`],
    ['cargo *', 'cargo +nightly test -q -- --nocapture'],
    ['cargo test *', 'cargo +nightly test'],
    ['mytool *', 'mytool build a/b x=1 --verbose -v'],
    ['./scripts/run.sh *', './scripts/run.sh --out x -f'],
    ['python3 *', 'python3 -c "print(1)"'],
    ['python3 *', "python3 - <<'EOF'\nprint(1)\nEOF"],
    ['python3 manage.py *', 'python3 manage.py migrate --noinput -v 2'],
    ['npx *', 'npx some-tool --flag'],
    ['wget *', 'wget -qO- https://a'],
    ['curl *', 'curl -sSL -o /dev/null -D - https://a'],
    ['sort *', 'sort -t, -k2,2nr -u f'],
    ['tar *', 'tar -tzf a.tgz'],
    ['tar *', 'tar xzf a.tgz'],
    ['psql *', "psql -c '\\dt public.*'"],
    ['sudo systemctl *', 'sudo systemctl status x --no-pager'],
  ])('%s: %s', (pattern, command) => {
    expect(judge(pattern, command)).toBe('allow');
  });
});
