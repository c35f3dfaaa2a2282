/** Whether a process has this pid now. A pid is used again: where that matters, compare start times, too. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists, but belongs to someone else
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
