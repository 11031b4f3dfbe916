package io.leasehold.jdbc;

/** What an error of a database means for the statement that met it. */
enum SqlFault {

    /** It was rolled back because another transaction was in its way; again, it may succeed. */
    CONTENTION,

    /** It waited for a row that another transaction has locked, for as long as it may. */
    ROW_LOCKED,

    /** It would have made a second row with the same key. */
    DUPLICATE,

    /** It meant a table that is not there. */
    MISSING_TABLE,

    /** It meant a column that is not there: the table is of an older version. */
    MISSING_COLUMN,

    /** It was refused, and would be again. */
    REFUSED,

    /** The database could not do it now, and has not. */
    NOT_DONE,

    /** The connection ended, or something happened that nobody thought of; it may have been carried out. */
    NO_ANSWER
}
