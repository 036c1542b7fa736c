import CoreData
import Foundation
import StoreConformance
import Testing

@Suite struct ConformanceTests {
  static func temporaryFile(_ name: String) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("conformance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appendingPathComponent(name)
  }

  static let sqlite = StoreSubject(type: NSSQLiteStoreType) { try temporaryFile("Store.sqlite") }
  static let inMemory = StoreSubject(type: NSInMemoryStoreType) { nil }
  static let xml = StoreSubject(type: NSXMLStoreType) { try temporaryFile("Store.xml") }
  static let binary = StoreSubject(type: NSBinaryStoreType) { try temporaryFile("Store.bin") }

  @Test(arguments: StoreConformance.checks) func xmlStore(_ check: StoreCheck) throws {
    try check.run(on: Self.xml)
  }

  @Test(arguments: StoreConformance.checks) func binaryStore(_ check: StoreCheck) throws {
    try check.run(on: Self.binary)
  }

  @Test(arguments: StoreConformance.checks) func sqliteStore(_ check: StoreCheck) throws {
    try check.run(on: Self.sqlite)
  }

  @Test(arguments: StoreConformance.checks) func inMemoryStore(_ check: StoreCheck) throws {
    try check.run(on: Self.inMemory)
  }

  /// Makes a service known under a host of its own.
  @discardableResult
  static func webService(_ service: WebService = WebService(), host: String? = nil) -> (WebService, URL) {
    NSPersistentStoreCoordinator.registerStoreClass(WebStore.self, forStoreType: WebStore.type)
    let host = host ?? "service-\(UUID().uuidString.lowercased()).example"
    WebStore.services.withLock { $0[host] = service }
    return (service, URL(string: "https://\(host)/") ?? URL(fileURLWithPath: "/"))
  }

  static let web = StoreSubject(
    type: WebStore.type,
    cannot: [
      .customMetadata: "the service keeps none", .ordering: "its documents have sets",
      .composites: "its documents have plain values",
    ]
  ) { webService().1 }

  @Test(arguments: StoreConformance.checks) func webStore(_ check: StoreCheck) throws {
    try check.run(on: Self.web)
  }

  @Test func theReportNamesWhatCannotBeDone() {
    let report = StoreConformance.report(on: Self.web)
    #expect(
      report.contains("cannot   Members of an ordered relationship keep their order (ordering: its documents have"))
    #expect(
      report.contains("cannot   A batch update changes what its predicate describes (batchUpdates: stores of this"))
    #expect(report.hasSuffix(" 0 failed"))
  }
}
