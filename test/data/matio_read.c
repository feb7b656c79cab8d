/* Reads a Matlab file by libmatio and prints rate, names, units and the numbers:  matio_read FILE */
#include <matio.h>
#include <stdio.h>

static void print_cells(mat_t* file, const char* name) {
    matvar_t* list = Mat_VarRead(file, name);
    for (size_t i = 0; list && i < list->dims[0]; i++) {
        const matvar_t* cell = Mat_VarGetCell(list, (int)i);
        printf("%s %.*s\n", name, (int)cell->dims[1], (const char*)cell->data);
    }
    Mat_VarFree(list);
}

int main(int argc, char** argv) {
    mat_t* file = argc == 2 ? Mat_Open(argv[1], MAT_ACC_RDONLY) : NULL;
    if (!file) return 1;
    matvar_t* rate = Mat_VarRead(file, "rate");
    matvar_t* data = Mat_VarRead(file, "data");
    if (!rate || !data || data->rank != 2) return 1;
    printf("rate %.17g\n", *(const double*)rate->data);
    print_cells(file, "names");
    print_cells(file, "units");
    const double* numbers = data->data;
    for (size_t n = 0; n < data->dims[0]; n++)
        for (size_t p = 0; p < data->dims[1]; p++)
            printf("%.17g\n", numbers[p * data->dims[0] + n]);
    Mat_VarFree(rate);
    Mat_VarFree(data);
    return Mat_Close(file);
}
