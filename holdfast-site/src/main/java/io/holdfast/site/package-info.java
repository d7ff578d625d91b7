/** A static web site of the Markdown files: parsing, links, search index and pages. Imports nothing else of ours. */
package io.holdfast.site;
