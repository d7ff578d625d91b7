package com.example.shop;

import java.time.Instant;

/**
 * A report that was written.
 *
 * @param sales how many items were sold until then
 * @param processId of the instance that wrote it
 */
record Report(Instant writtenAt, long sales, long processId) {}
