//
//  Search.swift
//  Garden
//

import CoreData
import StackKit
import struct StackKit.Predicate
import struct StackKit.SortDescriptor

struct Search {

    var predicate: Predicate<Plant>
    var order: SortDescriptor = SortDescriptor(Search.height)

    func run(in context: NSManagedObjectContext) throws -> [Plant] {
        return try context.objects(predicate, by: order)
    }

}
