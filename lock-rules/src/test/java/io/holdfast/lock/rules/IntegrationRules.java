package io.holdfast.lock.rules;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/**
 * What modules around the two published ones may see, under a root package: the project's own, or that of the fixtures which
 * break the rules.
 */
record IntegrationRules(String root) {

    private static final String[] FRAMEWORKS = {"org.springframework..", "io.micrometer..", "org.junit.."};

    /** Of the core and of the transport, which know no integration. */
    ArchRule coreKnowsNoIntegration() {
        return noClasses()
                .that(resideInAnyPackage(
                        root,
                        root + ".engine..",
                        root + ".spi..",
                        root + ".text",
                        root + ".options",
                        root + ".jfr",
                        root + ".netty.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage(FRAMEWORKS)
                        .or(resideInAnyPackage(
                                root + ".memory..", root + ".micrometer..", root + ".spring..", root + ".boot..")))
                .because("the core is used without any of them");
    }

    ArchRule memoryIsATransport() {
        return noClasses()
                .that(resideInAPackage(root + ".memory.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.netty..", "org.springframework..", "io.micrometer..")
                        .or(resideInAnyPackage(
                                root + ".netty..", root + ".micrometer..", root + ".spring..", root + ".boot..")))
                .because("locks in memory need the core, and no transport");
    }

    ArchRule metersKnowTheApi() {
        return onlyTheApi(".micrometer..", "org.springframework..", ".memory..", ".spring..", ".boot..");
    }

    ArchRule springKnowsTheApi() {
        return onlyTheApi(".spring..", "org.springframework.boot..", ".memory..", ".micrometer..", ".boot..");
    }

    ArchRule onlyTheStarterSeesBoot() {
        return noClasses()
                .that(resideInAPackage(root + ".."))
                .and()
                .resideOutsideOfPackage(root + ".boot..")
                .should()
                .dependOnClassesThat(resideInAPackage("org.springframework.boot.."))
                .because("the starter alone is for Spring Boot");
    }

    ArchRule theStarterUsesWhatApplicationsUse() {
        return noClasses()
                .that(resideInAPackage(root + ".boot.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage(root + ".engine..", root + ".netty..", "io.netty.."))
                .because("the starter puts together what applications could");
    }

    List<ArchRule> all() {
        return List.of(
                coreKnowsNoIntegration(),
                memoryIsATransport(),
                metersKnowTheApi(),
                springKnowsTheApi(),
                onlyTheStarterSeesBoot(),
                theStarterUsesWhatApplicationsUse());
    }

    private ArchRule onlyTheApi(String module, String foreign, String... others) {
        String[] ours = new String[others.length + 3];
        for (int i = 0; i < others.length; i++) {
            ours[i] = root + others[i];
        }
        ours[others.length] = root + ".engine..";
        ours[others.length + 1] = root + ".spi..";
        ours[others.length + 2] = root + ".netty..";
        return noClasses()
                .that(resideInAPackage(root + module))
                .should()
                .dependOnClassesThat(resideInAnyPackage(foreign, "io.netty..").or(resideInAnyPackage(ours)))
                .because("an integration uses the API, as an application does");
    }
}
