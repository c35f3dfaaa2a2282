/** Groups the founding documents' routes in the API description. */
export const TAGS = ['two-way communication documents'];
