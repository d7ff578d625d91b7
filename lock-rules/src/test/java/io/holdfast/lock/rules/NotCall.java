package io.holdfast.lock.rules;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.TreeSet;

/** A class neither calls nor refers to any of the members, which are written {@code java.lang.System.nanoTime}. */
final class NotCall extends ArchCondition<JavaClass> {
    private static final String ANY_MEMBER = ".*";

    private final Set<String> members;

    NotCall(Set<String> members) {
        super("not use " + String.join(", ", new TreeSet<>(members)));
        this.members = members;
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        for (JavaAccess<?> access : type.getAccessesFromSelf()) {
            String owner = access.getTargetOwner().getName();
            if (members.contains(owner + "." + access.getTarget().getName()) || members.contains(owner + ANY_MEMBER)) {
                events.add(SimpleConditionEvent.violated(access, access.getDescription()));
            }
        }
    }
}
