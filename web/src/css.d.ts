/** Vite bundles these into the page's styles. */
declare module '*.css';
