/** The messages of the API: `machiavel.v1`. */

export * from "./generated/v1.js";
