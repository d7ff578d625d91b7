package io.holdfast.lock.engine.key;

/** The key of a client's record under one prefix. */
public final class RecordKey {

    private static final String START = ":client:{";
    private static final int LONGEST_ID = 128;

    public final byte[] bytes;
    public final int slot;

    private RecordKey(String key) {
        this.bytes = KeyLayout.utf8(key);
        this.slot = Slots.of(bytes);
    }

    /**
     * The key of one client's record.
     *
     * @param clientId one that {@link #clientOf} gave, or this client's own
     */
    public static RecordKey of(String prefix, String clientId) {
        return new RecordKey(prefix + START + clientId + '}');
    }

    /**
     * The id of the client whose owner this is; empty if it names none. Others may have written the owner, so an id is what could
     * be one of ours, and nothing that would make another key of the record's.
     */
    public static String clientOf(String owner) {
        int end = owner.indexOf(':');
        if (end < 1 || end > LONGEST_ID) {
            return "";
        }
        String id = owner.substring(0, end);
        return id.chars().allMatch(RecordKey::isIdCharacter) ? id : "";
    }

    private static boolean isIdCharacter(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '_'
                || c == '.';
    }
}
