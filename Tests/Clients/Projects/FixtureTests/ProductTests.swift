//
//  ProductTests.swift
//  FixtureTests
//

import CoreData
import StackKit
import XCTest

final class ProductTests: XCTestCase {

    private lazy var bundle = Bundle(for: type(of: self))

    func testFixturesAreFound() throws {
        let stack = try CoreDataStack(modelName: "Store", bundle: Bundle(for: ProductTests.self))
        let context = stack.container.viewContext
        for name in try JSONDecoder().decode([String].self, from: fixture("products")) {
            Product(context: context).name = name
        }
        try context.save()
        XCTAssertEqual(try context.count(for: Product.fetchRequest() as NSFetchRequest<Product>), 2)
    }

    func testFixturesBesideTheFile() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
        XCTAssertEqual(try fixture("products"), try Data(contentsOf: folder.appendingPathComponent("products.json")))
    }

    func testTheModelIsFound() {
        XCTAssertNotNil(bundle.url(forResource: "Store", withExtension: "momd"))
        XCTAssertNotNil(NSManagedObjectModel.mergedModel(from: [bundle])?.entitiesByName["Product"])
        XCTAssertNotNil(NSManagedObjectModel.mergedModel(from: [Bundle.main])?.entitiesByName["Product"])
    }

    private func fixture(_ name: String) throws -> Data {
        return try Data(contentsOf: XCTUnwrap(bundle.url(forResource: name, withExtension: "json")))
    }

}
