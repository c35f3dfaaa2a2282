import { type Command, Option } from 'commander';
import { exportAudit, listAudit } from '../contract/routes/audit.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { print, printJson } from './output.ts';
import { printTable } from './table.ts';

interface AuditOptions extends DataDirOption {
  action?: string;
  session?: string;
  by?: string;
  export?: 'jsonl' | 'csv';
  json?: boolean;
}

const SHOWN = 1000;

export function addAudit(program: Command): void {
  withJson(program.command('audit'))
    .description('show the record of every decision, rule change and stop')
    .option('--action <name>', 'only approval, rule, session or prompt entries')
    .option('--session <id>', 'only this session')
    .option('--by <name>', 'only actions by this person, device or rule')
    .addOption(new Option('--export <format>', 'print the whole record for another program').choices(['jsonl', 'csv']))
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl audit --action approval\n  gctl audit --export csv > audit.csv')
    .action(async (options: AuditOptions) => {
      const api = await connect(options.dataDir);
      const filter = { action: options.action, sessionId: options.session, by: options.by };
      if (options.export) {
        const query = { ...filter, format: options.export };
        for await (const chunk of await api.stream(exportAudit, { query })) process.stdout.write(chunk);
        return;
      }
      // the newest of them, in chronological order
      const page = await api.call(listAudit, { query: { ...filter, limit: SHOWN, order: 'newest' } });
      page.entries.reverse();
      if (options.json) return printJson(page);
      if (page.entries.length === 0) print('No matching entries.');
      await printTable(
        page.entries.map(({ at, action, outcome, by, toolName, detail }) => [
          new Date(at).toISOString().replace('T', ' ').slice(0, 19),
          action,
          outcome ?? '',
          by,
          [toolName, detail].filter(Boolean).join(': '),
        ]),
        { head: ['Time (UTC)', 'Action', 'Outcome', 'By', 'Detail'] },
      );
      if (page.nextBefore !== null)
        print(`Showing the newest ${SHOWN}. For the whole record: gctl audit --export jsonl`);
    });
}
