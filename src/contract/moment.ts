import { z } from 'zod';

/** Epoch milliseconds that a date can hold. Beyond them a date has no text, and showing one fails. */
export const Moment = z.number().min(-8.64e15).max(8.64e15);
