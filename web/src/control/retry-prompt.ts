/** What a tap on Retry sends to a failed session. */
export const RETRY_PROMPT = 'That failed. Please try again.';
