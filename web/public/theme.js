// Runs before the first paint, so the page doesn't flash in the wrong theme. Not a module, because modules are deferred.
document.documentElement.dataset.theme = localStorage.getItem('groundcontrol.theme') ?? '';
