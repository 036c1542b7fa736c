import CoreData
import Foundation
import Synchronization
import Testing

@testable import CoreDataTools

/// Readers of a store that is copied to be read share the copy.
@Suite struct SharedCopyTests {
  @Test func thereIsOneCopyOfAStateForAllReaders() throws {
    let shop = try Shop(type: NSXMLStoreType)
    let store = shop.store
    let found = Mutex<[URL]>([])
    // Each reader has a model of its own.
    let copies = (0..<8).map { _ in SharedCopy.of(store, Shop.model()) }
    #expect(copies.allSatisfy { $0 === copies[0] })
    let kept = try copies[0].content(StoreAccess(store, model: Shop.model()), .xml)
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      let content = try? copies[number].content(StoreAccess(store, model: Shop.model()), .xml)
      found.withLock { if let content { $0.append(content.copy.url) } }
    }
    #expect(found.withLock { $0 } == Array(repeating: kept.copy.url, count: 8))
  }

  @Test func anOldCopyGoesWhenNobodyReadsIt() throws {
    let shop = try Shop(type: NSXMLStoreType, stays: true)
    let access = StoreAccess(shop.store, model: Shop.model())
    var shared: SharedCopy? = SharedCopy.of(shop.store, Shop.model())
    var old = try shared?.content(access, .xml)
    let first = try #require(old?.copy.url.path)
    try shop.write { Shop.make("Person", in: $0, ["name": "New"]) }
    let second = try #require(try shared?.content(access, .xml).copy.url.path)
    #expect(first != second && old != nil)
    #expect(FileManager.default.fileExists(atPath: first))
    old = nil
    #expect(!FileManager.default.fileExists(atPath: first) && FileManager.default.fileExists(atPath: second))
    shared = nil
    #expect(!FileManager.default.fileExists(atPath: second))
  }

  @Test func anIdleReaderHoldsNoOldCopy() throws {
    let shop = try Shop(type: NSXMLStoreType, stays: true)
    let readers = try (0..<2).map { _ in try StoreReader(shop.store, model: Shop.model()) }
    let old = try #require(readers[0].copy?.path)
    #expect(readers[1].copy?.path == old && FileManager.default.fileExists(atPath: old))
    try shop.write { Shop.make("Person", in: $0, ["name": "New"]) }
    #expect(try readers[1].count(of: ObjectQuery(entity: "Person")) == 4)
    #expect(!FileManager.default.fileExists(atPath: old))
    #expect(try readers[0].count(of: ObjectQuery(entity: "Person")) == 4)
    #expect(readers[0].copy == readers[1].copy)
  }
}
