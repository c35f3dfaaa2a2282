/** The end of every hook command of ours, so any later version recognizes it, however the command changes. */
export const COMMAND_SENTINEL = '# groundcontrol-hook';
