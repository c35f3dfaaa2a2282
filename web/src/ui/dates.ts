/* Dates and times in the browser's locale. One place for all, so a page doesn't mix formats. */
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
// in columns, where hours with one digit would move the rest
const SECONDS = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });

export const formatTime = (at: number) => TIME.format(at);
export const formatSeconds = (at: number) => SECONDS.format(at);
export const formatDay = (at: number) => DAY.format(at);
export const formatDate = (at: number) => DATE.format(at);
export const formatDateTime = (at: number) => DATE_TIME.format(at);
export const formatFullDate = (at: number) => FULL.format(at);
