import { bash, edit, read, todos } from '../tool-calls.ts';
import { OPUS, type Part } from './part.ts';

const STEPS = [
  'Collect the changes since v2.3.1',
  'Write the changelog',
  'Bump the version',
  'Tag and push',
  'Announce',
];

const PUSH = `git tag -s v2.4.0 -m "lighthouse 2.4.0" \\
  && git push --follow-tags origin release/2.4 \\
  && gh release create v2.4.0 --verify-tag --title "lighthouse 2.4.0" --notes-file CHANGELOG-2.4.0.md \\
       dist/lighthouse-2.4.0-linux-x64.tar.gz dist/lighthouse-2.4.0-linux-arm64.tar.gz \\
       dist/lighthouse-2.4.0-darwin-arm64.tar.gz dist/lighthouse-2.4.0-windows-x64.zip \\
  && gh workflow run publish-homebrew.yml --ref v2.4.0 -f version=2.4.0`;

/** Wants to push a release: a long command nobody should wave through. */
export const release: Part = {
  project: 'lighthouse-cli',
  model: OPUS,
  startedAgo: 26,
  context: 212_000,
  async play(session) {
    const { main, project } = session;
    const at = (file: string) => `${project.path}/${file}`;
    await session.prompt(
      'Cut the 2.4.0 release: changelog from merged pull requests, version bump, signed tag, GitHub release with binaries.',
    );
    await main.pause(6);
    await main.use(todos(STEPS, 0), {
      thinking:
        "A release ends with irreversible steps. I'll collect everything first and push last, in one command you can read before it runs.",
    });
    await main.use(
      bash('git log v2.3.1..HEAD --merges --format="%h %s" | head -40', LOG, {
        description: 'Merges since the last release',
      }),
      { lasts: 2 },
    );
    await main.pause(14);
    await main.use(todos(STEPS, 1));
    await main.use(edit(at('CHANGELOG.md'), '# Changelog\n\n## 2.3.1\n', CHANGELOG), {
      say: 'Seventeen merges, four of them user-visible. The changelog lists those four and the one breaking flag.',
      lasts: 1,
    });
    await main.pause(10);
    await main.use(edit(at('package.json'), '  "version": "2.3.1",', '  "version": "2.4.0",', { startLine: 3 }));
    await main.use(todos(STEPS, 3));
    await main.use(bash('npm run build:all', BUILT, { description: 'Build the binaries', asks: true }), {
      lasts: 70,
      decided: { afterSeconds: 21, decision: 'allow' },
    });
    await main.use(read(at('dist/SHA256SUMS'), SUMS));
    await main.untilAgo(4.2);
    const pushed = await main.use(
      bash(PUSH, 'To github.com:lighthouse/lighthouse-cli.git\n * [new tag]  v2.4.0 -> v2.4.0', {
        description: 'Tag, push and publish 2.4.0',
        asks: true,
      }),
      {
        say: "Everything is built and the checksums match. This is the step that can't be undone: it signs the tag, pushes the branch and publishes the release.",
        lasts: 8,
      },
    );
    if (pushed.kind === 'denied') {
      await main.pause(4);
      await main.use(
        bash(
          'git format-patch v2.3.1 --stdout > dist/release-2.4.0.patch && ls -lh dist',
          '-rw-r--r-- 1 dev dev  88K release-2.4.0.patch',
          { description: 'Keep the release as a patch instead' },
        ),
        { say: `Understood: ${pushed.message} I won't push anything. The release is ready on disk.`, lasts: 2 },
      );
      await session.finish(
        'Nothing was pushed. The release is ready: the changelog and version are committed, the binaries are in `dist/`, and `dist/release-2.4.0.patch` has the whole branch.',
      );
      return;
    }
    await main.use(todos(STEPS, 4));
    await main.use(
      bash(
        'gh release view v2.4.0 --json url,assets --jq .url',
        'https://github.com/lighthouse/lighthouse-cli/releases/tag/v2.4.0',
        { description: 'Look at the release' },
      ),
      { lasts: 2 },
    );
    await main.use(todos(STEPS, 5, { isOver: true }));
    await session.finish(
      '**2.4.0 is out.** The tag is signed, four binaries are attached, and the Homebrew workflow is running.\n\n| asset | size |\n| --- | --- |\n| linux-x64 | 11.2 MB |\n| linux-arm64 | 10.8 MB |\n| darwin-arm64 | 10.4 MB |\n| windows-x64 | 12.1 MB |',
    );
  },
};

const LOG = `a41fe02 Merge #412: Resolve config files relative to the workspace
9b3d77c Merge #409: \`lighthouse watch\` survives a suspended laptop
5e0c2aa Merge #407: Shell completions for fish
c77b1d9 Merge #401: Rename --no-color to --plain (breaking)
03f9e41 Merge #398: Parallel checks, 2.1 times faster on eight cores`;

const CHANGELOG = `# Changelog

## 2.4.0

- Checks run in parallel: 2.1 times faster on eight cores (#398)
- \`lighthouse watch\` survives a suspended laptop (#409)
- Completions for fish (#407)
- Config files are found relative to the workspace (#412)

**Breaking:** \`--no-color\` is now \`--plain\` (#401). The old name warns until 3.0.

## 2.3.1
`;

const BUILT = `> lighthouse-cli@2.4.0 build:all
linux-x64      11.2 MB   4.1 s
linux-arm64    10.8 MB   4.3 s
darwin-arm64   10.4 MB   4.0 s
windows-x64    12.1 MB   4.6 s`;

const SUMS = `6f1c…a90e  lighthouse-2.4.0-linux-x64.tar.gz
b2d8…117c  lighthouse-2.4.0-linux-arm64.tar.gz
09aa…f3d4  lighthouse-2.4.0-darwin-arm64.tar.gz
e5c0…42b7  lighthouse-2.4.0-windows-x64.zip`;
