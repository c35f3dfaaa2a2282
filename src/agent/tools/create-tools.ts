import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Shells } from '../shells/shells.ts';
import { askUserQuestionTool } from './ask-user-question.ts';
import { bashTool } from './bash.ts';
import { bashOutputTool } from './bash-output.ts';
import { editTool } from './edit.ts';
import { exitPlanModeTool } from './exit-plan-mode.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { killShellTool } from './kill-shell.ts';
import { multiEditTool } from './multi-edit.ts';
import { readTool } from './read.ts';
import { todoWriteTool } from './todo-write.ts';
import type { Tool } from './tool.ts';
import { webFetchTool } from './web-fetch.ts';
import type { Workspace } from './workspace.ts';
import { writeTool } from './write.ts';

export interface ToolsDeps {
  workspace: Workspace;
  shells: Shells;
  sandbox: Sandbox;
  leavePlanMode: () => void;
  /** If empty, WebFetch is not offered. */
  webHosts?: readonly string[];
}

/** The order is part of the prompt cache: add new tools at the end. */
export function createTools({ workspace, shells, sandbox, leavePlanMode, webHosts = [] }: ToolsDeps): Tool[] {
  return [
    bashTool({ workspace, shells, sandbox }),
    bashOutputTool(shells),
    killShellTool(shells),
    readTool(workspace),
    writeTool(workspace),
    editTool(workspace),
    multiEditTool(workspace),
    globTool(workspace),
    grepTool(workspace),
    todoWriteTool(),
    askUserQuestionTool(),
    exitPlanModeTool(leavePlanMode),
    ...(webHosts.length > 0 ? [webFetchTool({ allowedHosts: webHosts })] : []),
  ];
}
