package com.example.shop;

/**
 * An item that was sold.
 *
 * @param processId of the instance that sold it
 */
record Sale(String item, String buyer, long processId) {}
