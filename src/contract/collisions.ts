/** A session tells of no more than this many others: with a thousand in one folder, each telling of all would be a million. */
export const MAX_COLLISIONS = 20;
