// Runs before the first paint, so that a chosen theme does not flash in the other one. Not a module: those wait.
document.documentElement.dataset.theme = localStorage.getItem('groundcontrol.theme') ?? '';
