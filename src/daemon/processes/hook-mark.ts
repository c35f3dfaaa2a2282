/** Ends every hook command of ours, so that any later version finds it, whatever the command has become. */
export const COMMAND_SENTINEL = '# groundcontrol-hook';
