/** How the API's description groups the routes of the founding documents. */
export const TAGS = ['two-way communication documents'];
