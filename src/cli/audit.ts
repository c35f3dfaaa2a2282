import { type Command, Option } from 'commander';
import { AuditPage } from '../contract/audit.ts';
import { connect } from './api.ts';
import { print, printJson, printTable } from './output.ts';
import { type DataDirOption, dataDirOption, withJson } from './places.ts';

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
    .description('the record of every decision, rule change and stop')
    .option('--action <name>', 'only these: approval, rule, session, prompt')
    .option('--session <id>', 'only of this session')
    .option('--by <name>', 'only what this one did')
    .addOption(new Option('--export <format>', 'all of it, for another program').choices(['jsonl', 'csv']))
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl audit --action approval\n  gctl audit --export csv > audit.csv')
    .action(async (options: AuditOptions) => {
      const api = await connect(options.dataDir);
      const query = new URLSearchParams();
      if (options.action) query.set('action', options.action);
      if (options.session) query.set('sessionId', options.session);
      if (options.by) query.set('by', options.by);
      if (options.export) {
        for await (const chunk of await api.stream(`/api/audit/export?format=${options.export}&${query}`))
          process.stdout.write(chunk);
        return;
      }
      // the newest of them, in the order in which they happened
      const page = await api.get(`/api/audit?limit=${SHOWN}&order=newest&${query}`, AuditPage);
      page.entries.reverse();
      if (options.json) return printJson(page);
      if (page.entries.length === 0) print('Nothing is recorded of that.');
      printTable(
        page.entries.map(({ at, action, outcome, by, toolName, detail }) => [
          new Date(at).toISOString().replace('T', ' ').slice(0, 19),
          action,
          outcome ?? '',
          by,
          [toolName, detail].filter(Boolean).join(': ').slice(0, 80),
        ]),
      );
      if (page.nextBefore !== null) print(`These are the newest ${SHOWN}. All of it: gctl audit --export jsonl`);
    });
}
