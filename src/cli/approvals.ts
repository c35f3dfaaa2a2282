import type { Command } from 'commander';
import type { Client } from '../client/client.ts';
import { followStream } from '../client/follow-stream.ts';
import type { Approval } from '../contract/approvals.ts';
import { listApprovals } from '../contract/routes/approvals.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { describeApproval } from './describe-approval.ts';
import { describeDecision } from './describe-delivery.ts';
import { oneLine, print, printJson, printJsonLine, printLines } from './output.ts';

export function addApprovals(program: Command): void {
  withJson(program.command('approvals'))
    .description('list requests waiting for your decision, oldest first')
    .option('--watch', 'stream requests and decisions')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl approvals\n  gctl approvals --watch\n  gctl approvals --json | jq -r ".approvals[].id"',
    )
    .action(async ({ dataDir, watch, json }: DataDirOption & { watch?: boolean; json?: boolean }) => {
      const api = await connect(dataDir);
      const { approvals } = await pendingApprovals(api);
      if (!watch) return json ? printJson({ approvals }) : showAll(approvals);
      for (const approval of approvals) tell('approval_request', approval, json);
      const known = new Set(approvals.map(({ id }) => id));
      for await (const { event, data } of followStream(api)) {
        if (event !== 'approval_request' && event !== 'approval_decided' && event !== 'approval_delivery') continue;
        if (event === 'approval_request' && known.has(data.id)) continue;
        tell(event, data, json);
      }
    });
}

export function pendingApprovals(api: Client) {
  return api.call(listApprovals, { query: { status: 'pending' } });
}

function showAll(approvals: Approval[]): void {
  if (approvals.length === 0) print("You're all caught up.");
  for (const approval of approvals) printLines(`${describeApproval(approval)}\n`);
}

type ApprovalMessage = 'approval_request' | 'approval_decided' | 'approval_delivery';

function tell(event: ApprovalMessage, approval: Approval, json: boolean | undefined): void {
  if (json) printJsonLine({ event, approval });
  else printLines(`${event === 'approval_request' ? describeApproval(approval) : describeOutcome(approval)}\n`);
}

function describeOutcome(approval: Approval): string {
  const { id, decision, status, delivery } = approval;
  if (!decision) return `${id.slice(0, 8)}  ${status.replaceAll('_', ' ')}`;
  if (delivery && delivery.state !== 'pending') return `${id.slice(0, 8)}  ${describeDecision(approval)}`;
  return `${id.slice(0, 8)}  ${decision.decision === 'deny' ? 'Denied' : 'Allowed'} by ${oneLine(decision.by)}`;
}
