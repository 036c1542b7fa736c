//
//  Plant.swift
//  Garden
//

import CoreData

@objc(Plant)
public final class Plant: NSManagedObject {

    @NSManaged public var name: String?
    @NSManaged public var height: Double

}

/// Reads what the application brings along.
public final class Seeds: NSObject {

    private let bundle: Bundle

    public init(bundle: Bundle = Bundle(for: Seeds.self)) {
        self.bundle = bundle
    }

    public func names() throws -> [String] {
        guard let url = bundle.url(forResource: "seeds", withExtension: "json") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try JSONDecoder().decode([String].self, from: Data(contentsOf: url))
    }

    /// The same, as it is written in other places.
    func paths() -> [String?] {
        return [
            Bundle(for: type(of: self)).path(forResource: "seeds", ofType: "json"),
            Bundle(for: Self.self).path(forResource: "seeds", ofType: "json"),
            Bundle(identifier: "com.example.Garden")!.path(forResource: "seeds", ofType: "json"),
            Bundle.allBundles.compactMap { $0.path(forResource: "seeds", ofType: "json") }.first
        ]
    }

}
