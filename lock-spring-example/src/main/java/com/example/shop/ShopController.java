package com.example.shop;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockServerException;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The shop over HTTP. */
@RestController
class ShopController {

    private final Stock stock;
    private final Checkout checkout;
    private final NightlyReport report;

    ShopController(Stock stock, Checkout checkout, NightlyReport report) {
        this.stock = stock;
        this.checkout = checkout;
        this.report = report;
    }

    @PutMapping("/items/{item}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void fill(@PathVariable String item, @RequestParam int stock) {
        this.stock.fill(item, stock);
    }

    @GetMapping("/items/{item}")
    int left(@PathVariable String item) {
        return stock.left(item);
    }

    @PostMapping("/items/{item}/sales")
    @ResponseStatus(HttpStatus.CREATED)
    Sale buy(@PathVariable String item, @RequestParam String buyer, @RequestParam(defaultValue = "true") boolean locked)
            throws InterruptedException {
        Optional<Sale> sale = locked ? checkout.buy(item, buyer) : checkout.buyWithoutLock(item, buyer);
        return sale.orElseThrow(() -> new ResponseStatusException(HttpStatus.CONFLICT, "sold out"));
    }

    @GetMapping("/items/{item}/sales")
    List<Sale> sales(@PathVariable String item) {
        return stock.sales(item);
    }

    @GetMapping("/reports")
    List<Report> reports() {
        return report.written();
    }

    /**
     * Another buyer had the item for the whole wait, or the locks can't be reached, or this one was lost meanwhile, which is
     * no {@link LockException}. In each case nothing was sold.
     */
    @ExceptionHandler({LockException.class, LockLostException.class})
    ResponseEntity<ProblemDetail> later(RuntimeException failure) {
        return ResponseEntity.of(ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, failure.getMessage()))
                .headers(headers -> headers.set(HttpHeaders.RETRY_AFTER, "1"))
                .build();
    }

    /** What an operator has to mend first. */
    @ExceptionHandler
    ProblemDetail refused(LockServerException failure) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.INTERNAL_SERVER_ERROR, failure.getMessage());
    }
}
