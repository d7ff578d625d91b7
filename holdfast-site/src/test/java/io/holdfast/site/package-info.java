/** Tests of the web site, and of the links of all documents. */
package io.holdfast.site;
