import { baseName, programNamed } from './table.ts';

/** Different words for the same command. Denying one denies all. */
const SAME = [
  'python|python3|python2',
  'pip|pip3|uv pip',
  'node|nodejs',
  'awk|gawk|mawk|nawk',
  'make|gmake',
  'vi|vim',
  'apt|apt-get|aptitude',
  'docker compose|docker-compose',
  'docker rm|docker container rm',
  'docker kill|docker container kill',
  'docker stop|docker container stop',
  'docker start|docker container start',
  'docker exec|docker container exec',
  'docker run|docker container run',
  'docker cp|docker container cp',
  'docker rmi|docker image rm',
  'docker push|docker image push',
  'docker pull|docker image pull',
  'docker build|docker image build|docker buildx build',
  'npm install|npm i|npm in|npm ins|npm inst|npm isntall|npm add|npm install-test|npm it',
  'npm uninstall|npm un|npm unlink|npm remove|npm rm|npm r',
  'npm update|npm up|npm upgrade|npm udpate',
  'npm run|npm run-script|npm rum|npm urn',
  'npm test|npm t|npm tst',
  'npm exec|npm x|npx',
  'npm ci|npm clean-install|npm ic|npm install-clean',
  'npm config|npm c',
  'pnpm install|pnpm i',
  'pnpm remove|pnpm rm|pnpm uninstall|pnpm un',
  'pnpm update|pnpm up|pnpm upgrade',
  'pnpm dlx|pnpx',
  'bun x|bunx',
  'bun add|bun a',
  'bun remove|bun rm',
  'uv tool run|uvx',
  'brew uninstall|brew rm|brew remove',
  'cargo build|cargo b',
  'cargo run|cargo r',
  'cargo test|cargo t',
  'cargo remove|cargo rm',
  'git add|git stage',
  'git|hub',
  'git push|git send-pack|git subtree push',
  'git pull|git fetch-pack',
  'helm uninstall|helm delete|helm del|helm un',
  'helm install|helm upgrade --install',
  'tmux send-keys|tmux send',
  'poetry run|poetry r',
];
const GROUPS = new Map(SAME.flatMap((line) => line.split('|').map((one, _, all) => [one, all] as const)));

/** npm accepts prefixes of command names. */
const NPM_COMMANDS = (
  'access adduser approve-scripts audit bugs cache ci completion config dedupe deny-scripts deprecate diff dist-tag docs doctor edit exec explain explore ' +
  'find-dupes fund get help help-search init install install-ci-test install-scripts install-test link ll login logout ls org outdated owner ' +
  'pack ping pkg prefix profile prune publish query rebuild repo restart root run sbom search set shrinkwrap stage star stars start ' +
  'stop team test token trust undeprecate uninstall unpublish unstar update version view whoami'
).split(' ');

/** Other ways to write a command: `pip3.12 install x` is `pip install x`. */
export function sameCommands(words: string[]): string[][] {
  const [name = '', ...rest] = words;
  const found = namesOf(baseName(name)).map((each) => [...each, ...rest]);
  const [second = '', ...others] = rest;
  if (baseName(name) === 'npm' && second.length > 1 && !NPM_COMMANDS.includes(second)) {
    for (const full of NPM_COMMANDS) if (full.startsWith(second)) found.push(['npm', full, ...others]);
  }
  for (const each of [words, ...found]) {
    for (let count = Math.min(3, each.length); count > 0; count--) {
      const key = each.slice(0, count).join(' ');
      for (const other of GROUPS.get(key) ?? [])
        if (other !== key) found.push([...other.split(' '), ...each.slice(count)]);
    }
  }
  return found;
}

function namesOf(name: string): string[][] {
  const names: string[][] = [];
  // `python3.12`, and `vitest@2` for npx
  const plain = name.replace(/@[\w.^~-]+$/, '').replace(/(?<=[a-z])[\d.]+$/, '');
  if (plain !== name && programNamed(plain)) names.push([plain]);
  // `node …/npm-cli.js`, `php composer.phar`, `docker run amazon/aws-cli`, `python -m awscli`
  const script = name.replace(/\.(?:[cm]?js|py|rb|php|phar|pyz)$/, '').replace(/-v?\d[\w.]*$|[-_.]?cli$/, '');
  if (script !== name && programNamed(script)) names.push([script]);
  // `microk8s.kubectl`
  const inSnap = name.slice(name.lastIndexOf('.') + 1);
  if (inSnap !== name && inSnap !== script && programNamed(inSnap)) names.push([inSnap]);
  // Homebrew's names for GNU tools: `grm`
  if (/^g[a-z]+$/.test(name) && programNamed(name.slice(1))) names.push([name.slice(1)]);
  // `/usr/lib/git-core/git-push`
  const [, program, subcommand] = /^(git|cargo|kubectl|docker|helm)-([a-z-]+)$/.exec(name) ?? [];
  if (program && subcommand) names.push([program, subcommand]);
  return names;
}
