import { Command } from 'commander';

/** `gctl` without its commands. */
export function createProgram(): Command {
  return new Command('gctl')
    .description('Ground Control: see every Claude Code session on this machine and answer the ones that need you.')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `
Examples:
  gctl up                 start in the foreground
  gctl up --detach        start in the background
  gctl demo               try it with simulated agents
  gctl status             see which sessions need you
  gctl doctor             check the installation

Environment:
  GROUNDCONTROL_HOME      data dir (default ~/.groundcontrol)
  GROUNDCONTROL_PORT      port (default 8765)
  GROUNDCONTROL_TOKEN     token for scripts (gctl token --operator)
  CLAUDE_CONFIG_DIR       Claude Code's folder (default ~/.claude)

Exit codes: 0 success, 1 failure, 2 wrong usage, 3 daemon not running`,
    );
}
