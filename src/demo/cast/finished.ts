import { bash, edit, fetchPage, mcp, read, todos } from '../tool-calls.ts';
import { SessionEnded } from '../turn-ended.ts';
import { HAIKU, type Part, SONNET } from './part.ts';

/** Done: links in the documentation. */
export const linkCheck: Part = {
  project: 'almanac-docs',
  model: HAIKU,
  startedAgo: 31,
  async play(session) {
    const { main, project } = session;
    await session.prompt('Check every link in the docs and fix the ones that moved.');
    await main.pause(3);
    await main.use(todos(['Collect the links', 'Check each one', 'Fix what moved'], 0));
    await main.use(
      bash('npx linkinator docs --recurse --format json > links.json; jq length links.json', '1290', {
        description: 'Collect the links',
      }),
      { lasts: 40 },
    );
    await main.use(todos(['Collect the links', 'Check each one', 'Fix what moved'], 1));
    await main.use(
      fetchPage(
        'https://docs.example.org/tides/harmonics',
        'Has this page moved?',
        'Moved permanently to /guide/harmonics',
      ),
      { lasts: 2 },
    );
    await main.use(
      edit(
        `${project.path}/docs/guide.md`,
        '[harmonics](https://docs.example.org/tides/harmonics)',
        '[harmonics](https://docs.example.org/guide/harmonics)',
        { startLine: 88 },
      ),
    );
    await main.use(todos(['Collect the links', 'Check each one', 'Fix what moved'], 3, { isOver: true }));
    await session.finish(
      'Checked 1,290 links. 11 had moved and are fixed. Two pages are gone for good, so those links go to the archive now.',
    );
    await main.untilAgo(16.4);
    await session.completeTask('7', 'All 1,290 links work');
  },
};

/** Done, and its terminal closed: certificates that renew automatically. */
export const certificates: Part = {
  project: 'orbit-infra',
  model: SONNET,
  startedAgo: 40,
  async play(session) {
    const { main, project } = session;
    await session.prompt('Staging certificates expire in nine days and renewal is manual. Automate it.');
    await main.pause(6);
    await main.use(
      read(`${project.path}/modules/tls/main.tf`, 'resource "tls_private_key" "staging" {\n  algorithm = "ECDSA"\n}'),
    );
    await main.use(
      edit(
        `${project.path}/modules/tls/main.tf`,
        '  algorithm = "ECDSA"',
        '  algorithm   = "ECDSA"\n  ecdsa_curve = "P256"',
        { startLine: 2 },
      ),
    );
    const cleared = await main.use(
      bash('rm -rf .terraform && terraform init', '', { description: 'Start with a clean provider cache' }),
      { say: 'The provider cache is stale.', lasts: 3 },
    );
    if (cleared.kind === 'denied')
      await main.use(
        bash('mv .terraform .terraform.old && terraform init', 'Terraform has been successfully initialized!', {
          description: 'Move the cache aside instead',
        }),
        { say: `A rule forbids that: ${cleared.message} I'll move the cache aside instead.`, lasts: 5 },
      );
    await main.use(
      bash('terraform plan -out=tls.plan', 'Plan: 4 to add, 1 to change, 0 to destroy.', {
        description: 'See what would change',
      }),
      { lasts: 22 },
    );
    await main.use(
      bash('terraform apply tls.plan', 'Apply complete! Resources: 4 added, 1 changed, 0 destroyed.', {
        description: 'Apply the plan',
        asks: true,
      }),
      { lasts: 18, decided: { afterSeconds: 64, decision: 'allow' } },
    );
    await main.use(
      mcp(
        'mcp__pager__create_alert',
        { name: 'staging-certificate-renewal', condition: 'failures >= 2', severity: 'warning' },
        'Alert staging-certificate-renewal created.',
      ),
      { say: 'Adding an alert so we notice a failing renewal before the certificates expire.' },
    );
    await session.finish(
      'Certificates now renew automatically 30 days before they expire. The next renewal is in 51 days, and an alert fires if it fails twice.',
    );
    await main.untilAgo(5.2);
    throw new SessionEnded('prompt_input_exit');
  },
};
