/** A bean where Spring's samples are, which may look like one of the framework's own; it imports what bean classes import. */
package org.springframework.samples.shop;
