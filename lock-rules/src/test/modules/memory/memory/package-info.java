/** A store in memory, and a transport to it: what another project writes, with nothing but the exported packages. */
package memory;
