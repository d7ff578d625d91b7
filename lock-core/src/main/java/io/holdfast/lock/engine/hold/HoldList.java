package io.holdfast.lock.engine.hold;

/** No hold, or several. */
final class HoldList implements Holds {

    static final Holds NONE = new HoldList();

    private final Hold[] all;

    HoldList(Hold... all) {
        this.all = all;
    }

    @Override
    public int size() {
        return all.length;
    }

    @Override
    public Hold get(int index) {
        return all[index];
    }
}
