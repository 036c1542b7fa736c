import InstrumentsAnalysis
import Testing

@_spi(Store) @testable import OpenCoreData

/// Names of functions as people say them.
@Suite struct FunctionNameTests {
  @Test(
    arguments: [
      (
        "PerformanceTuning.SingleFaultTest.read(in: OpenCoreData.NSManagedObjectContext) throws -> PerformanceTuning.NamesRead",
        "SingleFaultTest.read(in:)"
      ),
      ("Shop.list() -> ()", "list()"),
      ("static Shop.Cart.add(_: Shop.Item, to: [Swift.String : Swift.Int]) async throws -> ()", "Cart.add(_:to:)"),
      ("Shop.Cart.add(Shop.Item, with: (Swift.Int, Swift.Int) -> Swift.Bool) -> ()", "Cart.add(_:with:)"),
      ("Shop.Cart.total.getter : Swift.Int", "Cart.total.getter"),
      (
        "closure #1 (Shop.Item) throws -> Swift.Bool in Shop.Cart.all<A where A: Swift.Equatable>(A) -> [A]",
        "closure in Cart.all(_:)"
      ),
      ("closure #2 () -> () in closure #1 (Swift.Int) -> Swift.Int in Shop.f() -> ()", "closure in f()"),
      ("helper #1 (at: Swift.Int) -> () in Shop.Cart.sum() -> Swift.Int", "helper in Cart.sum()"),
      (
        "generic specialization <Swift.Array<Shop.Item>, (Swift.Int) -> Swift.Int> of Shop.Cart.fill<A>(A) -> ()",
        "Cart.fill(_:)"
      ),
      ("merged Shop.Cart.fill() -> ()", "Cart.fill()"),
      ("Shop.(secret in _0123456789ABCDEF0123456789ABCDEF)(x: Swift.Int) -> ()", "secret(x:)"),
      (
        "(extension in Shop):OpenCoreData.NSManagedObjectContext.orders() throws -> Swift.Int",
        "NSManagedObjectContext.orders()"
      ),
      ("static Shop.Item.< infix(Shop.Item, Shop.Item) -> Swift.Bool", "Item.< infix(_:_:)"),
      ("plain_c_function", "plain_c_function"),
    ])
  func names(_ long: String, _ short: String) { #expect(FunctionName.short(long) == short) }

  @Test(
    arguments: [
      "partial apply forwarder for closure #1 () -> () in Shop.f() -> ()",
      "reabstraction thunk helper from @callee_guaranteed () -> () to @escaping @callee_guaranteed () -> ()",
      "protocol witness for Shop.P.f() -> () in conformance Shop.Cart : Shop.P in Shop",
    ])
  func glueHasNone(_ name: String) { #expect(FunctionName.short(name) == nil) }

  @Test func frameworkAndSystemAreNoCallers() {
    var recording = Recording()
    func frame(_ function: String?, _ symbol: String?, _ image: String, _ address: UInt = 1) -> Recording.Frame {
      Recording.Frame(address: address, function: function, symbol: symbol, image: image)
    }
    recording.stacks = [
      [
        frame("OpenCoreData.x() -> ()", "$s12OpenCoreData1x", "App"), frame("Shop.f() -> ()", "$s4Shop1f", "App"),
        frame("Swift.Array.map() -> ()", "$sSa3map", "libswiftCore.so"), frame("_dispatch_x", "_dispatch_x", "App"),
        frame("Shop.g() -> ()", "$s4Shop1g", "App", 2), frame("Shop.g() -> ()", "$s4Shop1g", "App", 3),
        frame("main", "main", "App"),
      ],
      [frame(nil, nil, "App", 255)],
    ]
    let paths = CallPaths(recording)
    #expect(paths.path(0).map { paths.names[$0] } == ["f()", "g()"])
    #expect(paths.caller(0) == "f()" && paths.caller(1) == "App 0xff" && paths.caller(nil) == nil)
  }
}
