import { join } from 'node:path';
import { bash, plan, read, todos, write } from '../tool-calls.ts';
import { OPUS, type Part } from './part.ts';

/** A database migration whose plan waits for approval. */
export const migration: Part = {
  project: 'harbor-api',
  model: OPUS,
  startedAgo: 33,
  context: 96_500,
  mode: 'plan',
  async play(session) {
    const { main, project } = session;
    const at = (file: string) => join(project.path, file);
    await session.prompt(
      'Invoices need an append-only ledger instead of the mutable `amount_due` column. Plan the migration: no downtime, and a rollback at every step.',
    );
    await main.pause(5);
    await main.use(read(at('db/schema.sql'), SCHEMA), {
      thinking:
        'The column is written in three places. Before planning, I want to know who reads it, how big the table is, and which statements lock it.',
    });
    await main.use(
      bash('rg -n "amount_due" src --stats | tail -24', READERS, { description: 'Find uses of the column' }),
      { lasts: 1 },
    );
    await main.use(
      bash(
        `psql "$REPLICA_URL" -Atc "select count(*), pg_size_pretty(pg_total_relation_size('invoices')) from invoices"`,
        '4812330|2914 MB',
        { description: 'Check the table size on the replica', asks: true },
      ),
      { lasts: 3, decided: { afterSeconds: 48, decision: 'allow' } },
    );
    await main.pause(40);
    const file = join(session.world.configDir, 'plans', 'invoice-ledger-steady-harbor.md');
    await main.use(write(file, PLAN), {
      thinking:
        'Five steps, each deployable alone. The dual write must be in one transaction with the old update, or the comparison later proves nothing. The backfill goes by primary key in batches, so no lock is held for more than a few milliseconds.',
    });
    await main.untilAgo(11.5);
    const judged = await main.use(plan(PLAN, file), {
      say: 'The plan has five steps. Each can be deployed and rolled back on its own. Only the last one removes anything.',
    });
    if (judged.kind === 'denied') {
      await main.pause(6);
      const revised = `${PLAN}\n## Changed after review\n\n> ${judged.message}\n\nStep 5 moves to its own release, and step 3 gets a switch that stops the backfill immediately.\n`;
      await main.use(write(file, revised));
      await main.use(plan(revised, file), { say: `I updated the plan with your feedback: “${judged.message}”` });
    }
    session.mode = 'acceptEdits';
    await main.use(todos(WORK, 0));
    await main.use(write(at('db/migrations/0042_invoice_ledger.sql'), SQL), {
      say: 'Approved. Starting with the table and the dual write.',
      lasts: 2,
    });
    await main.use(todos(WORK, 1));
    await main.use(
      bash('npm run db:migrate -- --dry-run && npm test -- ledger', '14 passed, 0 failed', {
        description: 'Dry run and tests',
      }),
      { lasts: 24 },
    );
    await main.use(todos(WORK, 2));
    await session.finish(
      'Steps 1 and 2 are in: the `invoice_entries` table and the dual write, both behind `LEDGER_DUAL_WRITE`. The dry run took 38 ms and held no lock longer than 4 ms. The backfill is waiting for your go-ahead.',
    );
  },
};

const WORK = [
  'Table and constraints',
  'Dual write in one transaction',
  'Backfill in batches',
  'Compare for seven days',
  'Read from the ledger',
];

const SCHEMA = `create table invoices (
  id          bigint primary key generated always as identity,
  customer_id bigint not null references customers (id),
  currency    char(3) not null,
  amount_due  bigint not null check (amount_due >= 0),
  updated_at  timestamptz not null default now()
);
create index invoices_by_customer on invoices (customer_id, updated_at desc);`;

const READERS = `src/billing/apply-payment.ts
31:    set amount_due = amount_due - $2, updated_at = now()
src/billing/credit-note.ts
54:    set amount_due = greatest(0, amount_due - $2)
src/billing/reopen-invoice.ts
18:  update invoices set amount_due = $2 where id = $1
src/reports/aging.ts
12:  select customer_id, sum(amount_due) from invoices
9 matches in 7 files`;

const PLAN = `# An append-only ledger for invoices

\`amount_due\` is overwritten in three places, so nobody can tell how an invoice got its balance. After this migration, the
balance is a sum of entries that never change.

## Steps

1. **Table.** \`invoice_entries (id, invoice_id, kind, amount, caused_by, created_at)\`, without update or delete rights for the application role.
2. **Dual write.** The three writers insert an entry *in the same transaction* as their update. Switch: \`LEDGER_DUAL_WRITE\`.
3. **Backfill.** 4.8 million invoices by primary key, 2,000 at a time, paused while replication lags more than 5 s. About 55 minutes.
4. **Compare.** A nightly job checks \`amount_due = sum(entries)\` for all invoices. Step 5 requires seven clean nights.
5. **Read from the ledger**, and drop the column one release later.

## Rollback

| after step | to roll back | data lost |
| --- | --- | --- |
| 1 | drop the table | none |
| 2 | switch off | none |
| 3 | truncate the table | none |
| 4 | as 2 | none |
| 5 | restore the column from the sum of entries | none |

## Risks

- Step 3 writes about 1.1 GB. The replica has 46 GB free.
- \`reopen-invoice\` sets an absolute amount, which becomes a correcting entry. Two tests cover it; I'll add three.
`;

const SQL = `create table invoice_entries (
  id         bigint primary key generated always as identity,
  invoice_id bigint not null references invoices (id),
  kind       text not null check (kind in ('issue', 'payment', 'credit', 'correction')),
  amount     bigint not null,
  caused_by  text not null,
  created_at timestamptz not null default now()
);
revoke update, delete on invoice_entries from harbor_app;
create index invoice_entries_by_invoice on invoice_entries (invoice_id, id);
`;
