/** What one tap on Retry says to a session that has failed. */
export const RETRY_PROMPT = 'That failed. Please try again.';
